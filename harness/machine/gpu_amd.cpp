#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "harness/machine/gpu.h"
#include "harness/machine/kernel_text.h"

namespace harness {
namespace {

// Memory of a node: the sum of its banks in the device's own memory (heap types 1 and 2 of the driver).
int64_t device_memory(const fs::path& node) {
  int64_t bytes = 0;
  for (int i = 0;; ++i) {
    const std::string bank = kernel_text(node / "mem_banks" / std::to_string(i) / "properties");
    if (bank.empty()) return bytes;
    const int64_t heap = leading_number(line_value(bank, "heap_type")).value_or(0);
    if (heap == 1 || heap == 2) bytes += leading_number(line_value(bank, "size_in_bytes")).value_or(0);
  }
}

}  // namespace

std::string gfx_name(int64_t version) {
  return fmt::format("gfx{}{:x}{:x}", version / 10000, version / 100 % 100, version % 100);
}

std::vector<GpuInfo> amd_gpus(const fs::path& root) {
  std::vector<GpuInfo> gpus;
  const fs::path nodes = root / "sys/class/kfd/kfd/topology/nodes";
  for (int node = 0;; ++node) {
    const fs::path folder = nodes / std::to_string(node);
    const std::string properties = kernel_text(folder / "properties");
    if (properties.empty()) return gpus;
    const auto number = [&](const char* key) { return leading_number(line_value(properties, key)).value_or(0); };
    if (number("simd_count") == 0) continue;  // a processor
    GpuInfo gpu;
    gpu.vendor = "amd";
    gpu.index = static_cast<int>(gpus.size());
    const int64_t minor = number("drm_render_minor");
    gpu.name = kernel_text(root / "sys/class/drm" / fmt::format("renderD{}", minor) / "device/product_name");
    if (gpu.name.empty()) gpu.name = kernel_text(folder / "name");
    if (gpu.name.empty()) gpu.name = "AMD GPU";
    gpu.driver = kernel_text(root / "sys/module/amdgpu/version");
    if (number("gfx_target_version") > 0) gpu.architecture = gfx_name(number("gfx_target_version"));
    const std::string id = line_value(properties, "unique_id");
    if (!id.empty() && id != "0") gpu.uuid = fmt::format("GPU-{:016x}", std::strtoull(id.c_str(), nullptr, 10));
    gpu.memory_bytes = device_memory(folder);
    gpu.details = std::make_shared<const nlohmann::json>(
        nlohmann::json{{"compute_units", number("simd_per_cu") ? number("simd_count") / number("simd_per_cu") : 0},
                       {"wavefront_size", number("wave_front_size")},
                       {"clocks_max_mhz", number("max_engine_clk_fcompute")}});
    gpus.push_back(std::move(gpu));
  }
}

}  // namespace harness
