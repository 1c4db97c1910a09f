// What the harness can observe of a worker's process from outside. It asks the process nothing, because the variant
// may control it.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "harness/base/result.h"

namespace harness {

/// Processor time of all its threads.
std::optional<double> cpu_ms(pid_t pid);

/// The files that it has mapped for code or data, each once.
std::optional<std::vector<std::string>> mapped_files(pid_t pid);
/// The same from the text of /proc/PID/maps.
std::vector<std::string> files_of_maps(const std::string& maps);

/// The file name of the first of `files` that is a library lib<name>*.so* for one of `names`.
std::optional<std::string> find_library(const std::vector<std::string>& files,
                                        const std::vector<std::string>& names);

}  // namespace harness
