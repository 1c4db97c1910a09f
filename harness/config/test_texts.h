// A small valid config for tests, and the parser's error for an invalid one.
#pragma once

#include <string>

#include "harness/config/config.h"

namespace harness {

/// Ends after the one sweep "sizes", so that a test can go on with keys of the sweep or of the file.
inline const std::string small_config =
    "lab: a\n"
    "kernel: gemm\n"
    "sweeps:\n"
    "  - name: sizes\n"
    "    variants: [cpu_avx, cpu_baseline]\n"
    "    axes: {size: [64, 128], BLOCK: [8, 16]}\n";

inline std::string config_error(const std::string& text) {
  const auto config = parse_config(text, "a.yaml");
  return config ? "no error" : config.error().message;
}

}  // namespace harness
