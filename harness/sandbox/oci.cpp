#include "harness/sandbox/oci.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <set>

#include "harness/base/process.h"
#include "harness/base/text.h"
#include "harness/sandbox/door.h"
#include "harness/sandbox/users.h"

namespace harness {
namespace {

bool in_control_groups(const Container& container) { return container.limits == "control groups"; }

// The device nodes of AMD belong to a group (render), and the program must be a member.
std::set<std::string> groups_of(const std::vector<std::string>& devices) {
  std::set<std::string> groups;
  for (const std::string& device : devices) {
    struct stat s;
    if (stat(device.c_str(), &s) == 0 && S_ISCHR(s.st_mode)) groups.insert(std::to_string(s.st_gid));
  }
  return groups;
}

void add_devices(std::vector<std::string>& line, const OciProgram& program, const std::vector<std::string>& devices) {
  if (vendor_of(devices) == Vendor::nvidia) line.push_back(program.nvidia);
  if (vendor_of(devices) != Vendor::amd) return;
  for (const std::string& device : devices) line.push_back("--device=" + device);
  for (const std::string& group : groups_of(devices)) line.push_back("--group-add=" + group);
}

void add_command(std::vector<std::string>& line, const Container& container, const std::vector<std::string>& command) {
  add(line, {"--entrypoint=" + command[0], container.id});
  line.insert(line.end(), command.begin() + 1, command.end());
}

std::string version_of(const std::string& program) {
  const auto answer = run_process({program, "--version"}, {.timeout_s = 10});
  if (!answer || answer->exit != 0) return "";
  return std::string(trim(answer->out.substr(0, answer->out.find('\n'))));
}

// Chooses the first runtime that starts a container, with control groups if possible.
Done try_out(const OciProgram& program, const ContainerSpec& spec, Container& container) {
  std::vector<std::string> tries;
  for (const char* limits : {"control groups", "each process"})
    for (const std::string& runtime : program.runtimes) {
      container.runtime = runtime;
      container.limits = limits;
      SandboxRequest request;
      request.processes = trial_processes;
      request.memory_bytes = int64_t{1} << 30;
      std::vector<std::string> line =
          oci_isolation(program, container, container_host(program.root_daemon || full_root()), request);
      for (const fs::path& mount : spec.mounts)
        line.push_back("--mount=" + bind_mount(mount.string(), mount.string(), Access::read));
      add_command(line, container, trial_command());
      const auto tried = run_process(line, {.timeout_s = 60});
      if (!tried) return tried.error();
      if (tried->exit != 0) {
        const std::string failed =
            fmt::format("{}: {}", runtime.empty() ? "its own runtime" : runtime, complaint(tried->err));
        if (limits == std::string("control groups")) tries.push_back(failed);
        continue;
      }
      const std::vector<std::string> shown = split(trim(tried->out), '\n');
      const std::string wanted = std::to_string(trial_processes + own_processes);
      // Some programs accept these options and ignore them (rootless, control groups version 1).
      if (!contains(shown, wanted)) container.limits = "each process";
      return ok();
    }
  return no_container(program.name, tries);
}

}  // namespace

std::vector<std::string> oci_isolation(const OciProgram& program, const Container& container, const ContainerHost& host,
                                       const SandboxRequest& request) {
  std::vector<std::string> line = {program.name};
  if (program.name == "podman" && !container.runtime.empty()) add(line, {"--runtime", container.runtime});
  add(line,
      {"run", "--rm", "--pull=never", "--log-driver=none", "--label=harness.owner=" + host.owner, "--network=none",
       "--hostname=lab", "--read-only", fmt::format("--user={}:{}", host.user, host.group), "--cap-drop=ALL",
       "--security-opt=no-new-privileges", "--security-opt=label=disable",
       fmt::format("--ulimit=nofile={0}:{0}", host.files), fmt::format("--ulimit=nproc={0}:{0}", host.processes),
       "--ulimit=core=0:0", fmt::format("--tmpfs=/tmp:rw,nosuid,nodev,exec,mode=1777,size={}", request.tmp_bytes)});
  if (in_control_groups(container)) {
    line.push_back(fmt::format("--pids-limit={}", request.processes + own_processes));
    if (request.memory_bytes > 0) line.push_back(fmt::format("--memory={}", request.memory_bytes));
  }
  add(line, program.own);
  if (!host.root) add(line, program.unprivileged);
  return line;
}

std::vector<std::string> oci_line(const OciProgram& program, const Container& container, const ContainerSpec& spec,
                                  const ContainerHost& host, const SandboxRequest& request, const fs::path& launcher) {
  std::vector<std::string> line = oci_isolation(program, container, host, request);
  line.push_back("--name=" + request.name);
  add_devices(line, program, request.devices);
  const auto mount = [&](const fs::path& from, const fs::path& to, Access access) {
    line.push_back("--mount=" + bind_mount(from.string(), to.string(), access));
  };
  mount(request.door, Door::inside, Access::read);
  mount(launcher, launcher, Access::read);
  for (const fs::path& path : spec.mounts) mount(path, path, Access::read);
  for (const Mount& m : request.mounts) mount(m.path, m.path, m.access);
  add_command(line, container, entered(request, launcher));
  return line;
}

Done Oci::available() const {
  if (find_program(program_.name).empty()) return no_program(program_.name, program_.package);
  return ok();
}

Result<std::unique_ptr<const Sandbox>> Oci::with(const ContainerSpec& spec) const {
  const std::string image = spec.image.empty() ? default_image : spec.image;
  TRY_ASSIGN(const ProcessResult inspected, run_process({program_.name, "image", "inspect", image}, {.timeout_s = 30}));
  if (inspected.exit != 0) {
    // A program that does not work is another error than an image that does not exist.
    const std::string why = complaint(inspected.err);
    if (why.find("o such image") == std::string::npos && why.find("image not known") == std::string::npos)
      return no_container(program_.name, {why});
    return no_image(program_.name, image);
  }
  TRY_ASSIGN(Container container, read_inspection(program_.name, image, inspected.out, image_architecture()));
  container.version = version_of(program_.name);
  (void)remove_leftovers(program_.name);
  TRY(try_out(program_, spec, container));
  if (container.runtime.empty()) container.runtime = "its own";
  return std::unique_ptr<const Sandbox>(new Oci(program_, spec, container));
}

Done Oci::reaches(const std::vector<std::string>& devices) const {
  if (!program_.cdi || vendor_of(devices) != Vendor::nvidia) return ok();
  std::error_code error;
  for (const char* folder : {"/etc/cdi", "/var/run/cdi"})
    for (const auto& entry : fs::directory_iterator(folder, error))
      if (entry.path().filename().string().find("nvidia") != std::string::npos) return ok();
  return Error{program_.name +
                   " is told of NVIDIA's GPUs by a file in /etc/cdi, and there is none; make it with `sudo "
                   "nvidia-ctk cdi generate --output=/etc/cdi/nvidia.yaml`",
               ExitCode::machine};
}

std::vector<std::string> Oci::removal(const std::string& container) const {
  return {program_.name, "rm", "--force", container};
}

std::vector<std::string> Oci::command_line(const SandboxRequest& request, const fs::path& launcher) const {
  return oci_line(program_, container_, spec_, container_host(program_.root_daemon || full_root()), request, launcher);
}

}  // namespace harness
