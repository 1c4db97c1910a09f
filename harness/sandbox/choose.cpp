#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "harness/base/text.h"
#include "harness/sandbox/sandbox.h"

namespace harness {

void add(std::vector<std::string>& line, const std::vector<std::string>& words) {
  line.insert(line.end(), words.begin(), words.end());
}

std::vector<std::string> limited(const SandboxRequest& request, const fs::path& launcher, const std::string& uid) {
  constexpr const char* modes[] = {"trace", "exec", "threads", "compute"};  // in the order of Rights
  std::vector<std::string> line = {launcher.string(),
                                   modes[static_cast<int>(request.rights)],
                                   std::to_string(request.processes),
                                   std::to_string(request.data_bytes),
                                   request.cpus.empty() ? "all" : fmt::format("{}", fmt::join(request.cpus, ",")),
                                   uid,
                                   request.folder.string(),
                                   "--"};
  add(line, request.command);
  return line;
}

Result<const Sandbox*> find_sandbox(const std::string& name) {
  std::vector<std::string> names;
  for (const Sandbox* s : registry<Sandbox>()) {
    if (s->name() == name) return s;
    names.push_back(s->name());
  }
  std::ranges::sort(names);
  return Error{
      fmt::format("unknown sandbox \"{}\"{}; there are {}", name, did_you_mean(name, names), join(names, ", "))};
}

// Our image sets HARNESS_SANDBOX where bubblewrap cannot work.
static std::string default_sandbox() {
  const char* named = std::getenv("HARNESS_SANDBOX");
  return named && *named ? named : "bwrap";
}

Result<std::shared_ptr<const Sandbox>> choose_sandbox(const std::string& name, const ContainerSpec& spec) {
  TRY_ASSIGN(const Sandbox* found, find_sandbox(name.empty() ? default_sandbox() : name));
  TRY(found->available());
  if (!found->takes_image())
    return std::shared_ptr<const Sandbox>(std::shared_ptr<void>(), found);  // registered: lives for ever
  TRY_ASSIGN(auto with_image, found->with(spec));
  return std::shared_ptr<const Sandbox>(std::move(with_image));
}

}  // namespace harness
