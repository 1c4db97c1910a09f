#include "harness/machine/limit_cache.h"

#include <nlohmann/json.hpp>

#include "harness/machine/cache_file.h"

namespace harness {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(GpuCapacity, multiprocessors, warp_size, threads_per_block,
                                   threads_per_multiprocessor, registers_per_block, shared_bytes_per_block,
                                   shared_bytes_per_multiprocessor, l2_bytes, grid)

namespace {

using nlohmann::json;

CacheFile limits_file(const fs::path& path) { return {path, "harness/limits/1", "machines"}; }
CacheFile capacity_file(const fs::path& path) { return {path, "harness/gpu_capacity/1", "gpus"}; }

bool is_limit(const json& c) {
  return c.is_object() && c.value("name", json()).is_string() && c.value("device", json()).is_string() &&
         c.value("threads", json()).is_number_integer() && c.value("value", json()).is_number() &&
         c.value("method", json()).is_string() && c.value("quiet", json()).is_boolean();
}

}  // namespace

std::optional<std::vector<MachineLimit>> read_limits(const fs::path& path, const std::string& key) {
  const json machines = limits_file(path).read();
  const auto entry = machines.find(key);
  if (entry == machines.end() || !entry->is_array() || entry->empty()) return std::nullopt;
  std::vector<MachineLimit> limits;
  for (const json& c : *entry) {
    if (!is_limit(c)) return std::nullopt;
    limits.push_back({c["name"], c["device"], c["threads"], c["value"], c["method"], c["quiet"]});
  }
  return limits;
}

Done write_limits(const fs::path& path, const std::string& key, const std::vector<MachineLimit>& limits) {
  json machines = limits_file(path).read();
  json& entry = machines[key] = json::array();
  for (const MachineLimit& c : limits)
    entry.push_back({{"name", c.name},
                     {"device", c.device},
                     {"threads", c.threads},
                     {"value", c.value},
                     {"method", c.method},
                     {"quiet", c.quiet}});
  return limits_file(path).write(machines);
}

std::optional<GpuCapacity> read_capacity(const fs::path& path, const std::string& key) try {
  const json gpus = capacity_file(path).read();
  const auto entry = gpus.find(key);
  if (entry == gpus.end()) return std::nullopt;
  return entry->get<GpuCapacity>();
} catch (const json::exception&) {  // a member is absent or of another type
  return std::nullopt;
}

Done write_capacity(const fs::path& path, const std::string& key, const GpuCapacity& capacity) {
  json gpus = capacity_file(path).read();
  gpus[key] = capacity;
  return capacity_file(path).write(gpus);
}

}  // namespace harness
