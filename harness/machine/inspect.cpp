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
  const auto tool =
      std::find_if(machine.tools.begin(), machine.tools.end(), [&](const Tool& t) { return t.name == name; });
  return tool == machine.tools.end() ? nullptr : &*tool;
}

nlohmann::json to_json(const Machine& machine) {
  using nlohmann::json;
  const auto put = [](json& object, const char* key, const auto& value) {
    if (value != std::decay_t<decltype(value)>{}) object[key] = value;  // absent: not known
  };
  const CpuInfo& c = machine.cpu;
  json cpu = {{"model", c.model}, {"cores", c.cores}, {"features", c.features}};
  put(cpu, "vendor", c.vendor);
  put(cpu, "l1d_bytes", c.l1d_bytes);
  put(cpu, "l2_bytes", c.l2_bytes);
  put(cpu, "l3_bytes", c.l3_bytes);
  put(cpu, "governor", c.governor);
  put(cpu, "turbo", c.turbo);

  json gpus = json::array();
  for (const GpuInfo& g : machine.gpus)
    gpus.push_back({{"index", g.index},
                    {"name", g.name},
                    {"uuid", g.uuid},
                    {"driver", g.driver},
                    {"vendor", g.vendor},
                    {"architecture", g.architecture},
                    {"memory_bytes", g.memory_bytes},
                    {"details", g.details}});
  json tools = json::array();
  for (const Tool& t : machine.tools)
    tools.push_back({{"name", t.name}, {"version", t.version}, {"path", t.path}});

  json all = {{"cpu", cpu},
              {"memory_bytes", machine.memory_bytes},
              {"available_bytes", machine.available_bytes},
              {"os", machine.os},
              {"kernel", machine.kernel},
              {"gpus", gpus},
              {"tools", tools}};
  put(all, "virtualization", machine.virtualization);
  put(all, "hostname_hash", machine.hostname_hash);
  return all;
}

}  // namespace harness
