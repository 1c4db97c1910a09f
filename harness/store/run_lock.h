// Reads who holds results/<lab>/.lock. RunLock is declared in store.h.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>

#include "harness/base/files.h"
#include "harness/base/result.h"

namespace harness {

struct LockHolder {
  pid_t pid = 0;         // 0: it has not written it yet
  int64_t since_ms = 0;  // when it took the lock
};

/// Nothing if no process holds the lock. Holds the lock itself for a moment; RunLock::take allows for that.
std::optional<LockHolder> lock_holder(const fs::path& results, const std::string& lab);

/// A lab's name names its folder: `"../x" cannot name a folder ...`.
Done check_lab_name(const std::string& lab);

}  // namespace harness
