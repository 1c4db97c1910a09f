#include "harness/machine/limit_cache.h"

#include <nlohmann/json.hpp>

namespace harness {
namespace {

using nlohmann::json;

constexpr const char* kSchema = "harness/limits/1";

json read_machines(const fs::path& path) {
  const auto text = read_file(path);
  json file = json::parse(text ? *text : "", nullptr, false);
  const bool ours =
      file.is_object() && file.value("schema", json()) == kSchema && file["machines"].is_object();
  return ours ? file["machines"] : json::object();
}

bool is_limit(const json& c) {
  return c.is_object() && c.value("name", json()).is_string() && c.value("device", json()).is_string() &&
         c.value("threads", json()).is_number_integer() && c.value("value", json()).is_number() &&
         c.value("method", json()).is_string() && c.value("quiet", json()).is_boolean();
}

}  // namespace

std::optional<std::vector<MachineLimit>> read_limits(const fs::path& path, const std::string& key) {
  const json machines = read_machines(path);
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
  json machines = read_machines(path);
  json& entry = machines[key] = json::array();
  for (const MachineLimit& c : limits)
    entry.push_back({{"name", c.name},
                     {"device", c.device},
                     {"threads", c.threads},
                     {"value", c.value},
                     {"method", c.method},
                     {"quiet", c.quiet}});
  if (path.has_parent_path()) TRY(make_folders(path.parent_path()));
  return write_file(path, json{{"schema", kSchema}, {"machines", machines}}.dump(1) + "\n");
}

}  // namespace harness
