#include "harness/machine/openblas.h"

#include <algorithm>
#include <vector>

namespace harness {

std::string openblas_core(const CpuInfo& cpu) {
  const auto has = [&](const std::vector<std::string>& features) {
    return std::ranges::all_of(features, [&](const std::string& f) { return has_feature(cpu, f); });
  };
  const bool amd = cpu.vendor == "AuthenticAMD";
  // The names are those of OpenBLAS's driver/others/dynamic.c. A name that a library does not know has no effect.
  if (has({"avx512f", "avx512bw", "avx512dq", "avx512vl", "avx512_bf16"})) return "Cooperlake";
  if (has({"avx512f", "avx512bw", "avx512dq", "avx512vl"})) return "SkylakeX";
  if (has({"avx2", "fma"})) return amd ? "Zen" : "Haswell";
  return "";
}

}  // namespace harness
