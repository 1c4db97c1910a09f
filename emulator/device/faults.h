// Signals in threads of a kernel: a wild pointer, a stack overflow, a division by zero, a launch that takes
// too long. Each becomes a diagnostic and an error of the device, and the process continues.
#pragma once

#include <cstdint>

namespace lab::emulated {

class Processor;

/// While it exists, faults of the threads that `processor` runs on this core become diagnostics, and their
/// time is limited.
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
