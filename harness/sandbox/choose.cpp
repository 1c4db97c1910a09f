#include <fmt/format.h>

#include <algorithm>

#include "harness/base/text.h"
#include "harness/sandbox/sandbox.h"

namespace harness {

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
  return Error{fmt::format("unknown sandbox \"{}\"{}; there are {}", name, did_you_mean(name, names), join(names, ", "))};
}

}  // namespace harness
