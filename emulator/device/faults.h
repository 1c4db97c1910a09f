// Signals of a kernel's threads: a wild pointer, a stack that is too small, a division by zero, a launch that
// takes too long. Each becomes a diagnostic and an error of the device; the process goes on.
#pragma once

#include <cstdint>

namespace lab::emulated {

class Processor;

/// While it lives, faults of threads that `processor` runs on this core are the device's, and its time is
/// limited.
class FaultGuard {
 public:
  explicit FaultGuard(Processor& processor);
  ~FaultGuard();
  FaultGuard(const FaultGuard&) = delete;
  FaultGuard& operator=(const FaultGuard&) = delete;

 private:
  uint64_t ticket_;
};

}  // namespace lab::emulated
