#include <fmt/format.h>

#include <algorithm>

#include "harness/base/text.h"
#include "harness/sandbox/sandbox.h"

namespace harness {

std::vector<std::string> limited(const SandboxRequest& request, const fs::path& helper,
                                 const std::string& uid) {
  std::vector<std::string> line = {helper.string(),
                                   "exec",
                                   std::to_string(request.processes),
                                   std::to_string(request.data_bytes),
                                   uid,
                                   request.folder.string(),
                                   "--"};
  line.insert(line.end(), request.command.begin(), request.command.end());
  return line;
}

Result<const Sandbox*> choose_sandbox(const std::string& name) {
  std::vector<const Sandbox*> all = registry<Sandbox>();
  std::sort(all.begin(), all.end(), [](auto* a, auto* b) { return a->name() < b->name(); });
  std::vector<std::string> names;
  for (const Sandbox* s : all) names.push_back(s->name());
  const std::string wanted = name.empty() ? "bwrap" : name;
  for (const Sandbox* s : all)
    if (s->name() == wanted) {
      TRY(s->available());
      return s;
    }
  return Error{fmt::format("unknown sandbox \"{}\"{}; there are {}", name, did_you_mean(name, names),
                           join(names, ", "))};
}

}  // namespace harness
