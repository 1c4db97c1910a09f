#include <algorithm>
#include <future>

#include "harness/machine/cpu.h"
#include "harness/machine/gpu.h"
#include "harness/machine/machine.h"
#include "harness/machine/system.h"
#include "harness/machine/tools.h"

namespace harness {

Machine inspect_machine(const fs::path& tool_cache) {
  auto gpus = std::async(std::launch::async, inspect_gpus);  // nvidia-smi can take a second to wake a device
  Machine machine;
  machine.cpu = inspect_cpu();
  inspect_system(machine);
  machine.tools = find_tools(tool_cache);
  machine.gpus = gpus.get();
  return machine;
}

bool has_file(const Machine& machine, const fs::path& path) {
  std::error_code error;
  return machine.image_files ? machine.image_files->count(path.string()) > 0 : fs::exists(path, error);
}

const Tool* find_tool(const Machine& machine, const std::string& name) {
  const auto tool = std::ranges::find_if(machine.tools, [&](const Tool& t) { return t.name == name; });
  return tool == machine.tools.end() ? nullptr : &*tool;
}

}  // namespace harness
