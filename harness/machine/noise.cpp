#include "harness/machine/noise.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "harness/base/text.h"
#include "harness/machine/gpu.h"
#include "harness/machine/kernel_text.h"
#include "harness/machine/system.h"

namespace harness {
namespace {

using nlohmann::json;

// How often processors lowered their clocks because of heat, summed over all; absent if the kernel does not count it.
std::optional<int64_t> heat_events(const fs::path& root) {
  std::optional<int64_t> events;
  for (int cpu = 0;; ++cpu) {
    const fs::path folder = root / "sys/devices/system/cpu" / ("cpu" + std::to_string(cpu));
    std::error_code ignored;
    if (!fs::exists(folder, ignored)) return events;
    for (const char* scope : {"core_throttle_count", "package_throttle_count"})
      if (const auto count = kernel_number(folder / "thermal_throttle" / scope)) events = events.value_or(0) + *count;
  }
}

// "some avg10=3.54 avg60=..." -> 3.54
std::optional<double> pressure_percent(const std::string& text) {
  const std::string some = line_value(text, "some");
  constexpr std::string_view key = "avg10=";
  const size_t at = some.find(key);
  if (at == std::string::npos) return std::nullopt;
  return std::strtod(some.c_str() + at + key.size(), nullptr);
}

}  // namespace

std::optional<CpuTime> parse_cpu_time(std::string_view stat) {
  // "cpu  user nice system idle iowait irq softirq steal ...", in ticks
  const std::vector<std::string> ticks = split(line_value(stat, "cpu"), ' ');
  if (ticks.size() < 8) return std::nullopt;
  const auto seconds = [&](std::initializer_list<int> fields) {
    int64_t sum = 0;
    for (const int field : fields) sum += leading_number(ticks[field]).value_or(0);
    return static_cast<double>(sum) / static_cast<double>(sysconf(_SC_CLK_TCK));
  };
  return CpuTime{seconds({0, 1, 2, 5, 6}), seconds({7})};
}

double stolen_s() {
  const auto stat = read_file("/proc/stat");
  const auto time = stat ? parse_cpu_time(*stat) : std::nullopt;
  return time ? time->stolen_s : 0;
}

double load_of(const json& noise) {
  const auto load = noise.find("load_1min");
  return load != noise.end() && load->is_number() ? load->get<double>() : 0;
}

std::optional<std::string> busy_machine(const json& noise, int cores) {
  const double load = load_of(noise);
  if (load <= cores) return std::nullopt;
  return fmt::format("this machine is busy (load {:.2g} on {}): times can be longer and scatter more", load,
                     counted(cores, "core"));
}

json cpu_noise(const fs::path& root) {
  json noise = json::object();
  const auto put = [&](const char* key, const auto& value) {
    if (value) noise[key] = *value;
  };
  const std::string load = kernel_text(root / "proc/loadavg");
  if (!load.empty()) noise["load_1min"] = std::strtod(load.c_str(), nullptr);
  put("cpu_pressure_10s_percent", pressure_percent(kernel_text(root / "proc/pressure/cpu")));
  if (const auto time = parse_cpu_time(kernel_text(root / "proc/stat"))) noise["stolen_s"] = time->stolen_s;
  put("heat_throttle_events", heat_events(root));
  const std::string meminfo = kernel_text(root / "proc/meminfo");
  if (!meminfo.empty()) noise["memory_available_bytes"] = meminfo_bytes(meminfo, "MemAvailable");
  const std::string vmstat = kernel_text(root / "proc/vmstat");
  put("swapped_in_pages", leading_number(line_value(vmstat, "pswpin")));
  put("swapped_out_pages", leading_number(line_value(vmstat, "pswpout")));
  return noise;
}

SharedJson noise_snapshot(const Machine& machine) {
  json noise = cpu_noise();
  const bool nvidia = std::ranges::any_of(machine.gpus, [](const GpuInfo& gpu) { return gpu.vendor == "nvidia"; });
  if (nvidia) noise["gpus"] = gpu_state();
  return std::make_shared<const json>(std::move(noise));
}

}  // namespace harness
