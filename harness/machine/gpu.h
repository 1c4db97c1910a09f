// Facts about the GPUs, from the vendors' tools and the Linux kernel. The harness links no GPU library.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/files.h"
#include "harness/machine/machine.h"

namespace harness {

std::vector<GpuInfo> inspect_gpus();

/// What changes during a run: clocks, throttle reasons, temperature. One object per GPU, NVIDIA only.
nlohmann::json gpu_state();

/// A field of `nvidia-smi --query-gpu` and where it goes.
struct GpuField {
  std::string query;  // nvidia-smi's name
  std::string key;    // the harness's name, with the unit
  bool number = false;
};

/// A program that prints a line with these fields again and again, until it is stopped.
struct GpuStateLoop {
  std::vector<std::string> command;
  std::vector<GpuField> fields;
};

/// For `clocks_sm_mhz` and `throttle_reasons` of one GPU. Nothing if no tool can tell.
std::optional<GpuStateLoop> gpu_state_loop(const std::string& uuid, int period_ms);

/// One object per line of `nvidia-smi --query-gpu=... --format=csv,noheader,nounits`. Fields without a value
/// ("[N/A]", "[Not Supported]") are left out.
std::vector<nlohmann::json> parse_nvidia_smi(std::string_view text, const std::vector<GpuField>& fields);

/// The field that an older nvidia-smi refuses, from its error message; nothing if the text is no such message.
std::optional<std::string> refused_field(std::string_view text);

/// The GPUs among the nodes of the amdgpu compute driver.
std::vector<GpuInfo> amd_gpus(const fs::path& root = "/");

/// The driver's gfx_target_version in the compilers' spelling: 90010 is "gfx90a".
std::string gfx_name(int64_t target_version);

}  // namespace harness
