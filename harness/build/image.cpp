#include "harness/build/image.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/base/hash.h"
#include "harness/base/text.h"
#include "harness/machine/tools.h"
#include "harness/sandbox/child.h"

namespace harness {
namespace {

constexpr const char* compilers[] = {"g++", "clang++", "nvcc", "hipcc", "ccache"};
constexpr double timeout_s = 60;

// Prints path and version of each compiler, then all headers and libraries.
std::string question() {
  std::string script;
  for (const char* name : compilers)
    script += fmt::format("p=$(command -v {0}) && echo \"@tool {0} $p\" && \"$p\" --version 2>&1\n", name);
  return script +
         "echo '@files'\n"
         "find -L /usr /opt \\( -name '*.h' -o -name '*.hpp' -o -name '*.so' \\) 2>/dev/null\n"
         "echo '@end'\n";
}

Result<std::string> ask(const Sandbox& sandbox, const fs::path& launcher) {
  SandboxRequest request;
  request.command = {"/bin/sh", "-c", question()};
  request.environment = {"PATH=/usr/local/cuda/bin:/opt/rocm/bin:/usr/local/bin:/usr/bin:/bin", "HOME=/tmp",
                         "LC_ALL=C"};
  request.output_bytes = 32 << 20;
  TRY_ASSIGN(Child child, Child::start(sandbox, request, launcher));
  if (!child.wait(timeout_s)) child.kill();
  std::string answer = child.output();
  if (child.wait(10) && answer.find("@end") != std::string::npos) return answer;
  const std::string said = printable(trim(answer), 300);
  return Error{fmt::format("{} cannot look into the image \"{}\": {}; make it anew with containers/make, on this "
                           "machine",
                           sandbox.name(), sandbox.container()->image,
                           said.empty() ? "it does not answer" : said.substr(said.rfind('\n') + 1)),
               ExitCode::machine};
}

}  // namespace

Machine with_image(Machine host, const std::string& answer) {
  std::erase_if(host.tools,
                [](const Tool& tool) { return contains(compilers, tool.name); });
  host.image_files.emplace();
  std::vector<Tool> found;
  bool files = false;
  std::string said;
  const auto finish = [&] {
    if (!found.empty() && found.back().version.empty()) found.back().version = version_line(said);
    said.clear();
  };
  for (const std::string& line : split(answer, '\n')) {
    if (starts_with(line, "@")) {
      finish();
      files = line == "@files";
      const std::vector<std::string> words = split(line, ' ');
      if (words.size() == 3 && words[0] == "@tool") found.push_back({words[1], words[2], ""});
    } else if (files) {
      host.image_files->insert(line);
    } else {
      said += line + "\n";
    }
  }
  host.tools.insert(host.tools.begin(), found.begin(), found.end());
  return host;
}

Result<Machine> machine_inside(const Machine& host, const Sandbox& sandbox, const ContainerSpec& spec,
                               const fs::path& launcher, const fs::path& cache) {
  Hash key;
  key.add(sandbox.identity()).add(question());
  for (const fs::path& mount : spec.mounts) {
    std::error_code error;  // a toolkit that was replaced gets another key
    key.add(fs::canonical(mount, error).string())
        .add(fmt::format("{}", fs::last_write_time(mount, error).time_since_epoch().count()));
  }
  const fs::path file = cache / "images" / key.hex().substr(0, 32);
  if (const auto known = read_file(file)) return with_image(host, *known);
  TRY_ASSIGN(const std::string answer, ask(sandbox, launcher));
  TRY(make_folders(file.parent_path()));
  TRY(write_file(file, answer));
  return with_image(host, answer);
}

fs::path toolkit_root(const Machine& machine, const Tool& compiler) {
  const fs::path path = machine.image_files ? fs::path(compiler.path) : fs::weakly_canonical(compiler.path);
  return path.parent_path().parent_path();
}

}  // namespace harness
