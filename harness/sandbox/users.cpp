#include "harness/sandbox/users.h"

#include <unistd.h>

#include <atomic>
#include <cstdio>

#include "harness/base/files.h"
#include "harness/base/text.h"

namespace harness {
namespace {

// User ids that no user has: above every range that Debian and systemd hand out (UID 524288..1879048191 are
// systemd's).
constexpr unsigned first_unused_uid = 1900000000;
constexpr unsigned unused_uids = 4096 * 1024;

}  // namespace

bool full_root() {
  static const bool full = [] {
    if (geteuid() != 0) return false;
    const auto map = read_file("/proc/self/uid_map");
    if (!map) return true;
    for (const std::string& line : split(*map, '\n')) {
      unsigned long inside = 0, outside = 0, count = 0;
      if (std::sscanf(line.c_str(), "%lu %lu %lu", &inside, &outside, &count) == 3 && inside <= first_unused_uid &&
          first_unused_uid + static_cast<unsigned long>(unused_uids) <= inside + count)
        return true;
    }
    return false;
  }();
  return full;
}

std::string unused_uid() {
  static std::atomic<unsigned> next{0};
  return std::to_string(first_unused_uid + (static_cast<unsigned>(getpid()) % 4096) * 1024 + next++ % 1024);
}

}  // namespace harness
