#include "harness/sandbox/container.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "harness/base/process.h"
#include "harness/base/text.h"
#include "harness/sandbox/door.h"
#include "harness/sandbox/users.h"

namespace harness {
namespace {

int64_t at_most(int resource, int64_t wanted) {
  rlimit limit;
  if (getrlimit(static_cast<__rlimit_resource_t>(resource), &limit) != 0 || limit.rlim_max == RLIM_INFINITY)
    return wanted;
  return std::min(wanted, static_cast<int64_t>(limit.rlim_max));
}

std::string without(std::string text, const std::string& part) {
  if (const size_t at = text.find(part); at != std::string::npos) text.erase(at, part.size());
  return text;
}

}  // namespace

std::string process_mark(const std::string& pid) {
  const auto stat = read_file("/proc/" + pid + "/stat");
  if (!stat) return "";
  // The name in parentheses may contain blanks. The first field after it is field 3, the start time is field 22.
  const std::vector<std::string> fields = split(stat->substr(stat->rfind(')') + 1), ' ');
  return fields.size() > 20 ? pid + ":" + fields[20] : "";
}

ContainerHost container_host(bool root) {
  ContainerHost host;
  host.root = root;
  host.user = root ? unused_uid() : std::to_string(geteuid());
  host.group = root ? host.user : std::to_string(getegid());
  host.files = at_most(RLIMIT_NOFILE, 1024);
  host.processes = at_most(RLIMIT_NPROC, 4096);
  host.owner = process_mark(std::to_string(getpid()));
  return host;
}

Vendor vendor_of(const std::vector<std::string>& devices) {
  for (const std::string& device : devices) {
    if (starts_with(device, "/dev/nvidia")) return Vendor::nvidia;
    if (device == "/dev/kfd") return Vendor::amd;
  }
  return Vendor::none;
}

std::vector<std::string> entered(const SandboxRequest& request, const fs::path& launcher,
                                 const std::vector<std::string>& environment) {
  std::vector<std::string> line = {launcher.string(), "enter", Door::socket_inside, std::to_string(request.file_bytes),
                                   "/usr/bin/env",    "-i"};
  add(line, environment);
  add(line, request.environment);
  add(line, limited(request, launcher, "0"));
  return line;
}

std::string bind_mount(const std::string& from, const std::string& to, Access access) {
  const auto field = [](const std::string& text) {
    if (text.find_first_of(",\"") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
    return quoted + "\"";
  };
  return "type=bind," + field("src=" + from) + "," + field("dst=" + to) + (access == Access::read ? ",ro" : "");
}

std::string image_architecture() {
  utsname name;
  if (uname(&name) != 0) return "";
  const std::string machine = name.machine;
  return machine == "x86_64" ? "amd64" : machine == "aarch64" ? "arm64" : machine;
}

Result<Container> read_inspection(const std::string& program, const std::string& image, const std::string& json,
                                  const std::string& architecture) {
  const auto all = nlohmann::json::parse(json, nullptr, false);
  const Error nonsense{fmt::format("{} says nothing that can be read of the image \"{}\"", program, image),
                       ExitCode::machine};
  if (!all.is_array() || all.empty() || !all[0].is_object()) return nonsense;
  const auto& first = all[0];
  const auto text = [&](const char* key) {
    const auto found = first.find(key);
    return found != first.end() && found->is_string() ? found->get<std::string>() : std::string();
  };
  Container container;
  container.program = program;
  container.image = image;
  container.id = without(text("Id"), "sha256:");
  container.digest = text("Digest");
  // Docker knows a digest only for images from a registry. Other images are identified by their content.
  if (container.digest.empty() && first.contains("RepoDigests") && first["RepoDigests"].is_array())
    for (const auto& entry : first["RepoDigests"])
      if (const std::string named = entry.is_string() ? entry.get<std::string>() : "";
          container.digest.empty() && named.find('@') != std::string::npos)
        container.digest = named.substr(named.find('@') + 1);
  if (container.id.empty()) return nonsense;
  if (container.digest.empty()) container.digest = "sha256:" + container.id;
  if (const std::string theirs = text("Architecture"); !theirs.empty() && theirs != architecture)
    return Error{fmt::format("the image \"{}\" is for {}, and this machine is {}; make it here with "
                             "containers/make cpu",
                             image, theirs, architecture),
                 ExitCode::machine};
  return container;
}

Error no_program(const std::string& program, const std::string& package) {
  return {fmt::format("the container program \"{}\" is not installed; type `sudo apt-get install {}`, or use "
                      "--sandbox bwrap",
                      program, package),
          ExitCode::machine};
}

Error no_image(const std::string& program, const std::string& image) {
  std::string name = image.substr(image.rfind('/') + 1);
  name = name.substr(0, name.find(':'));
  const bool ours = name == "harness-cpu" || name == "harness-cuda" || name == "harness-rocm";
  const std::string target = ours ? name.substr(std::string("harness-").size()) : "cpu";
  return {fmt::format("{} has no image \"{}\"; {} containers/make {}{}", program, image,
                      ours ? "make it with" : "name one that it has, or make ours with", target,
                      program == "podman" ? "" : " --program " + program),
          ExitCode::machine};
}

Error no_container(const std::string& program, const std::vector<std::string>& tries) {
  return {fmt::format("{} starts no container here ({}); see harness doctor, or use --sandbox bwrap", program,
                      join(tries, "; ")),
          ExitCode::machine};
}

std::string complaint(const std::string& text) {
  const std::vector<std::string> lines = split(trim(text), '\n');
  std::string last(trim(lines.back()));
  for (const char* words : {"Error: ", "OCI runtime error: ", "docker: ", ": OCI permission denied"})
    last = without(last, words);
  return last.empty() ? "it fails without a word" : printable(last, 200);
}

std::vector<std::string> trial_command() {
  // Control groups version 2, version 1, both.
  return {"/bin/sh", "-c",
          "cat /sys/fs/cgroup/pids.max /sys/fs/cgroup/pids/pids.max /sys/fs/cgroup/unified/pids.max 2>/dev/null; "
          "true"};
}

int remove_leftovers(const std::string& program) {
  // podman prints "map[harness.owner:12:345 ...]", Docker "harness.owner=12:345,...".
  constexpr std::string_view label = "harness.owner";
  const auto listed =
      run_process({program, "ps", "--all", "--filter", "label=harness.owner", "--format", "{{.ID}} {{.Labels}}"},
                  {.timeout_s = 10});
  std::vector<std::string> line = {program, "rm", "--force"};
  const size_t words = line.size();
  if (!listed || listed->exit != 0) return 0;
  for (const std::string& row : split(trim(listed->out), '\n')) {
    const size_t at = row.find(label);
    if (at == std::string::npos) continue;
    const std::string rest = row.substr(std::min(row.size(), at + label.size() + 1));
    const std::string owner = rest.substr(0, rest.find_first_not_of("0123456789:"));
    if (process_mark(owner.substr(0, owner.find(':'))) != owner) line.push_back(row.substr(0, row.find(' ')));
  }
  if (line.size() > words) (void)run_process(line, {.timeout_s = 60});
  return static_cast<int>(line.size() - words);
}

}  // namespace harness
