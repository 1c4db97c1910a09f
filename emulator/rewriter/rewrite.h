// Turns the parts of CUDA that only nvcc understands into C++ for the emulated device: kernel launches and variables in shared
// memory. Works on preprocessed text and keeps its lines.
#pragma once

#include <string>
#include <string_view>

#include "harness/base/result.h"

namespace harness {

/// Whether kernels may use constexpr functions and constants of the host: nvcc's --expt-relaxed-constexpr.
enum class Constants { of_the_host, of_both };

/// An error is "file:line:column: error: what", as a compiler would print it.
Result<std::string> rewrite(std::string_view text, Constants constants = Constants::of_the_host);

}  // namespace harness
