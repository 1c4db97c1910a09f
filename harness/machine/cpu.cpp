#include "harness/machine/cpu.h"

#include <algorithm>

#include "harness/base/parallel.h"
#include "harness/base/text.h"
#include "harness/machine/cgroup.h"
#include "harness/machine/kernel_text.h"

namespace harness {
namespace {

// The features that matter for speed or accuracy of arithmetic; /proc/cpuinfo lists many others (syscall, mce ...).
bool is_arithmetic(std::string_view flag) {
  for (const std::string_view prefix : {"sse", "ssse", "avx", "fma", "f16c", "bmi", "amx", "neon", "asimd", "sve"})
    if (starts_with(flag, prefix)) return true;
  return false;
}

void read_caches(const fs::path& cpu0, CpuInfo& cpu) {
  for (int i = 0;; ++i) {
    const fs::path index = cpu0 / "cache" / ("index" + std::to_string(i));
    const auto level = kernel_number(index / "level");
    if (!level) return;
    const int64_t bytes = parse_kernel_size(kernel_text(index / "size"));
    if (*level == 1 && kernel_text(index / "type") != "Instruction") cpu.l1d_bytes = bytes;
    if (*level == 2) cpu.l2_bytes = bytes;
    if (*level == 3) cpu.l3_bytes = bytes;
  }
}

std::string turbo_state(const fs::path& cpus) {
  if (const auto no_turbo = kernel_number(cpus / "intel_pstate/no_turbo")) return *no_turbo ? "off" : "on";
  if (const auto boost = kernel_number(cpus / "cpufreq/boost")) return *boost ? "on" : "off";
  return "";
}

}  // namespace

CpuInfo parse_cpuinfo(std::string_view text) {
  CpuInfo cpu;
  cpu.model = line_value(text, "model name");
  cpu.vendor = line_value(text, "vendor_id");
  if (cpu.vendor.empty()) cpu.vendor = line_value(text, "CPU implementer");  // Arm
  std::string flags = line_value(text, "flags");
  if (flags.empty()) flags = line_value(text, "Features");  // Arm
  for (std::string& flag : split(flags, ' '))
    if (is_arithmetic(flag)) cpu.features.push_back(std::move(flag));
  std::ranges::sort(cpu.features);
  return cpu;
}

CpuInfo inspect_cpu(const fs::path& root) {
  CpuInfo cpu = parse_cpuinfo(kernel_text(root / "proc/cpuinfo"));
  const fs::path cpus = root / "sys/devices/system/cpu";
  read_caches(cpus / "cpu0", cpu);
  cpu.governor = kernel_text(cpus / "cpu0/cpufreq/scaling_governor");
  cpu.turbo = turbo_state(cpus);
  cpu.cores = usable_cores();
  // Rounded down: with more threads than the quota covers, the kernel would stop a thread in the middle of a sample.
  if (const auto quota = cgroup_limits(root).cpus)
    cpu.cores = std::clamp(static_cast<int>(*quota + 1e-6), 1, cpu.cores);
  return cpu;
}

bool has_feature(const CpuInfo& cpu, const std::string& feature) {
  return contains(cpu.features, feature);
}

}  // namespace harness
