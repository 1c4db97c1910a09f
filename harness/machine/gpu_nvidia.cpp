#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "harness/base/process.h"
#include "harness/base/text.h"
#include "harness/machine/gpu.h"

namespace harness {
namespace {

using nlohmann::json;

const std::vector<GpuField> kState = {
    {"uuid", "uuid"},
    {"pstate", "pstate"},
    {"clocks.sm", "clocks_sm_mhz", true},
    {"clocks.mem", "clocks_mem_mhz", true},
    {"temperature.gpu", "temperature_c", true},
    {"power.draw", "power_draw_w", true},
    {"clocks_event_reasons.active", "throttle_reasons"},
};

// Names of the same fields in drivers before 535.
const std::pair<std::string_view, std::string_view> kOlderNames[] = {
    {"clocks_event_reasons.active", "clocks_throttle_reasons.active"},
};

std::vector<GpuField> identity_and_state() {
  std::vector<GpuField> fields = {
      {"index", "index", true},
      {"name", "name"},
      {"driver_version", "driver"},
      {"memory.total", "memory_mib", true},
      {"compute_cap", "compute_capability"},
      {"clocks.max.sm", "clocks_max_sm_mhz", true},
      {"clocks.max.mem", "clocks_max_mem_mhz", true},
      {"power.limit", "power_limit_w", true},
      {"ecc.mode.current", "ecc"},
      {"mig.mode.current", "mig"},
      {"persistence_mode", "persistence"},
  };
  fields.insert(fields.end(), kState.begin(), kState.end());
  return fields;
}

std::vector<std::string> query_command(const std::vector<GpuField>& fields) {
  std::vector<std::string> names;
  for (const GpuField& f : fields) names.push_back(f.query);
  return {find_program("nvidia-smi"), "--query-gpu=" + join(names, ","), "--format=csv,noheader,nounits"};
}

// Removes fields that this nvidia-smi does not know and asks again, so that the other fields are not lost.
std::vector<json> query(std::vector<GpuField>& fields) {
  if (find_program("nvidia-smi").empty()) return {};
  while (!fields.empty()) {
    const auto answer = run_process(query_command(fields), {.timeout_s = 20});
    if (!answer) return {};
    if (answer->exit == 0) return parse_nvidia_smi(answer->out, fields);
    const auto refused = refused_field(answer->out + answer->err);
    if (!refused) return {};
    const auto field = std::ranges::find_if(fields, [&](const GpuField& f) { return f.query == *refused; });
    if (field == fields.end()) return {};
    const auto older = std::find_if(std::begin(kOlderNames), std::end(kOlderNames),
                                    [&](const auto& pair) { return pair.first == *refused; });
    if (older != std::end(kOlderNames))
      field->query = older->second;
    else
      fields.erase(field);
  }
  return {};
}

std::string take_text(json& object, const char* key) {
  const std::string value = object.value(key, "");
  object.erase(key);
  return value;
}

int64_t take_number(json& object, const char* key) {
  const double value = object.value(key, 0.0);
  object.erase(key);
  return static_cast<int64_t>(value);
}

std::vector<GpuInfo> nvidia_gpus() {
  std::vector<GpuInfo> gpus;
  std::vector<GpuField> fields = identity_and_state();
  for (json& object : query(fields)) {
    GpuInfo gpu;
    gpu.vendor = "nvidia";
    gpu.index = static_cast<int>(take_number(object, "index"));
    gpu.name = take_text(object, "name");
    gpu.uuid = take_text(object, "uuid");
    gpu.driver = take_text(object, "driver");
    gpu.memory_bytes = take_number(object, "memory_mib") << 20;
    std::string capability = take_text(object, "compute_capability");  // "9.0"
    capability.erase(std::remove(capability.begin(), capability.end(), '.'), capability.end());
    if (!capability.empty()) gpu.architecture = "sm_" + capability;
    gpu.details = std::make_shared<const json>(std::move(object));
    gpus.push_back(std::move(gpu));
  }
  return gpus;
}

}  // namespace

std::vector<json> parse_nvidia_smi(std::string_view text, const std::vector<GpuField>& fields) {
  std::vector<json> gpus;
  for (const std::string& line : split(text, '\n')) {
    const std::vector<std::string> values = split(line, ',');
    if (values.size() != fields.size()) continue;
    json gpu = json::object();
    for (size_t i = 0; i < fields.size(); ++i) {
      const std::string value(trim(values[i]));
      if (value.empty() || value == "N/A" || value[0] == '[') continue;
      if (!fields[i].number) {
        gpu[fields[i].key] = value;
        continue;
      }
      double number = 0;
      if (std::from_chars(value.data(), value.data() + value.size(), number).ec == std::errc())
        gpu[fields[i].key] = number;
    }
    gpus.push_back(std::move(gpu));
  }
  return gpus;
}

std::optional<std::string> refused_field(std::string_view text) {
  constexpr std::string_view before = "Field \"", after = "\" is not a valid field to query";
  const size_t from = text.find(before);
  const size_t to = text.find(after);
  if (from == std::string_view::npos || to == std::string_view::npos || to < from + before.size()) return std::nullopt;
  return std::string(text.substr(from + before.size(), to - from - before.size()));
}

std::vector<GpuInfo> inspect_gpus() {
  std::vector<GpuInfo> gpus = nvidia_gpus();
  for (GpuInfo& gpu : amd_gpus()) gpus.push_back(std::move(gpu));
  return gpus;
}

json gpu_state() {
  std::vector<GpuField> fields = kState;
  return query(fields);
}

std::optional<GpuStateLoop> gpu_state_loop(const std::string& uuid, int period_ms) {
  std::vector<GpuField> fields;
  for (const GpuField& f : kState)
    if (f.key == "clocks_sm_mhz" || f.key == "throttle_reasons") fields.push_back(f);
  if (query(fields).empty()) return std::nullopt;
  GpuStateLoop loop{query_command(fields), fields};
  for (const std::string& more : {std::string("-i"), uuid, std::string("-lms"), std::to_string(period_ms)})
    loop.command.push_back(more);
  return loop;
}

}  // namespace harness
