// The programs that a run may call, with their versions.
#pragma once

#include <string_view>
#include <vector>

#include "harness/base/files.h"
#include "harness/machine/machine.h"

namespace harness {

/// The programs that are installed, asked at the same time. Versions are kept in the file `cache` (empty: no file) by
/// path, time and size of the program, because some programs need 0.1 s to print theirs.
std::vector<Tool> find_tools(const fs::path& cache = {});

/// The line of `--version` that holds a version number: the first with a digit, a dot and a digit.
std::string version_line(std::string_view output);

}  // namespace harness
