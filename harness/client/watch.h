// What can be seen of a worker's process from outside, without asking it anything: the process may be in a
// variant's hands.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/result.h"

namespace harness {

/// Processor time that all its threads have used.
std::optional<double> cpu_ms(pid_t pid);

/// A piece of its memory, and where it goes.
struct Peek {
  uint64_t from = 0;
  std::byte* to = nullptr;
  size_t bytes = 0;
};
enum class Peeked { all, unreadable, not_permitted };
Peeked peek(pid_t pid, const std::vector<Peek>& pieces);

/// For the notes of a case whose process could not be looked into.
inline constexpr std::string_view outputs_not_seen =
    "its own process handed its outputs over: reading another's memory is not permitted here; in a container add "
    "the capability SYS_PTRACE";
inline constexpr std::string_view libraries_not_seen =
    "nobody saw which libraries it loads: looking into another process is not permitted here; in a container add "
    "the capability SYS_PTRACE";

/// The files that it has mapped to execute code of, or read data from; each once.
std::optional<std::vector<std::string>> mapped_files(pid_t pid);
/// The same from the text of /proc/PID/maps.
std::vector<std::string> files_of_maps(const std::string& maps);

/// The first of `files` that is library lib<name>*.so* for one of `names`: its file name.
std::optional<std::string> find_library(const std::vector<std::string>& files,
                                        const std::vector<std::string>& names);

}  // namespace harness
