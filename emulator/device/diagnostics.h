// Collects the diagnostics by code address until the harness takes them.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

#include "emulator/device/errors.h"
#include "emulator/device/requests.h"
#include "lab/diagnostics.h"

namespace lab::emulated {

class Diagnostics {
 public:
  static Diagnostics& get();

  /// Adds a mistake, or counts it if it was seen before at the same addresses.
  void add(lab_diagnostic f, const char* kernel);
  /// The sums for one instruction. The reference is valid until take().
  Traffic& traffic(const char* kernel, uint64_t site, bool is_shared, unsigned bytes, lab_access access);
  /// Adds distinct bytes of global memory that a launch read.
  void distinct(const char* kernel, uint64_t bytes);
  /// Adds the threads of a launch, and the lanes of the warps that they take.
  void launched(const char* kernel, int64_t blocks, int64_t threads, int64_t lanes);

  /// Returns and forgets everything: first mistakes, then advice in the order of its cost.
  std::vector<lab_diagnostic> take();

  /// Is this core inside one of these functions? Then a signal handler must not call them.
  static bool busy();

 private:
  class Lock;
  std::mutex mutex_;
  std::map<std::tuple<std::string, uint32_t, uint64_t, uint64_t>, lab_diagnostic> mistakes_;
  std::map<std::tuple<const char*, uint64_t, bool, unsigned>, Traffic> traffic_;
  std::map<std::string, uint64_t> distinct_;
  struct Lanes {
    int64_t blocks = 0, there = 0, possible = 0;
  };
  std::map<std::string, Lanes> lanes_;
};

/// Host code reads bytes of the device. A variant that computes on the host has to read the inputs of its problem.
void host_reads(const void* p, size_t bytes, const void* return_address);
/// Sets the last error, and notes why the device refuses a call: a program that asks for the error does not always say what it was.
cudaError_t refuse(cudaError_t error, const std::string& why, const void* return_address);
#define LAB_CALLER __builtin_return_address(0)

}  // namespace lab::emulated
