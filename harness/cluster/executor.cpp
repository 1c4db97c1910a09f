#include "harness/cluster/executor.h"

#include <fmt/format.h>

#include "harness/base/text.h"

namespace harness {

Result<std::unique_ptr<Executor>> make_executor(const std::string& name) {
  std::vector<std::string> known;
  for (const ExecutorMaker* maker : registry<ExecutorMaker>()) {
    if (maker->name == name) return maker->make();
    known.push_back(maker->name);
  }
  std::ranges::sort(known);
  return Error{
      fmt::format("--executor \"{}\" is unknown{}; there are {}", name, did_you_mean(name, known), join(known, ", "))};
}

}  // namespace harness
