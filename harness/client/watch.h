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

/// What a process has mapped, each file once.
struct Mapped {
  std::vector<std::string> files;  // for code or data
  std::vector<std::string> code;   // executable; "": memory that belongs to no file
};
std::optional<Mapped> mapped(pid_t pid);
/// The same from the text of /proc/PID/maps.
Mapped read_maps(const std::string& maps);

/// The file name of the first of `files` that is a library lib<name>*.so* for one of `names`.
std::optional<std::string> find_library(const std::vector<std::string>& files,
                                        const std::vector<std::string>& names);
/// Code that comes neither from the system nor from `own`, as a library under another name would: "code from
/// /tmp/a.so", "code that is in no file".
std::optional<std::string> find_foreign_code(const Mapped& mapped, const std::vector<std::string>& own);

}  // namespace harness
