// The GPUs, asked from the vendors' own tools and the kernel: the harness links no GPU library.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/files.h"
#include "harness/machine/machine.h"

namespace harness {

std::vector<GpuInfo> inspect_gpus();

/// What changes while a run goes on: clocks, throttle reasons, temperature; one object a GPU. NVIDIA only.
nlohmann::json gpu_state();

/// A field of `nvidia-smi --query-gpu` and where it goes.
struct GpuField {
  std::string query;  // nvidia-smi's name
  std::string key;    // ours, with the unit
  bool number = false;
};

/// One object a line of `nvidia-smi --query-gpu=... --format=csv,noheader,nounits`. What the tool cannot tell
/// ("[N/A]", "[Not Supported]") is left out.
std::vector<nlohmann::json> parse_nvidia_smi(std::string_view text, const std::vector<GpuField>& fields);

/// The field that an older nvidia-smi does not know, from its refusal; nothing if the text is none.
std::optional<std::string> refused_field(std::string_view text);

/// The GPUs among the nodes of the amdgpu compute driver.
std::vector<GpuInfo> amd_gpus(const fs::path& root = "/");

/// gfx_target_version of that driver as the compilers write it: 90010 is "gfx90a".
std::string gfx_name(int64_t target_version);

}  // namespace harness
