// The kernel functions of a build, from what NVIDIA's compiler prints and from the PTX that it keeps.
#pragma once

#include <string>
#include <vector>

#include "harness/base/files.h"
#include "harness/machine/kernel_function.h"

namespace harness {

/// What PTX says of its functions beside the printed figures, in lines for the log of the build.
std::string read_ptx(const std::string& ptx);

/// Reads the *.ptx files of `folder` and removes all that `nvcc -keep` has left there.
std::string take_ptx(const fs::path& folder);

/// Removes from `log` the lines about kernel functions, those of read_ptx() too, and returns what they say.
std::vector<KernelFunction> take_kernel_functions(std::string& log);

}  // namespace harness
