// What the harness can observe of a worker's process from outside. It asks the process nothing, because the variant
// may control it.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/base/result.h"

namespace harness {

/// Processor time of all its threads.
std::optional<double> cpu_ms(pid_t pid);
/// Whether none of its threads runs or will run on its own: each has stopped at a signal, or has ended.
bool is_stopped(pid_t pid);

/// A line of /proc/PID/maps. `file` is empty for memory that belongs to no file, "[vdso]" for the Linux kernel's code, and
/// ends with " (deleted)" if the file is gone: another one may have its name.
struct Mapping {
  uint64_t begin = 0, end = 0;
  bool executable = false;
  std::string file;
};
std::vector<Mapping> read_maps(const std::string& maps);

/// What a process has mapped, each file once.
struct Mapped {
  std::set<std::string> files;  // for code or data
  std::set<std::string> code;   // executable; "": in no file, or changed after it came from its file
};
std::optional<Mapped> mapped(pid_t pid);
/// The same from mappings, of which those in `changed` differ from their files.
Mapped mapped(const std::vector<Mapping>& mappings, const std::function<bool(const Mapping&)>& changed);

/// The first of `files` that is a library of one of `names`: lib<name>* or lib*_<name>*, also an archive. Its file name.
std::optional<std::string> find_library(const std::set<std::string>& files, const std::vector<std::string>& names);
/// Code that comes neither from the system's libraries nor from `own`, as a library under another name would: "code from
/// /tmp/a.so", "code that is in no file".
std::optional<std::string> find_foreign_code(const Mapped& mapped, const std::vector<std::string>& own);

}  // namespace harness
