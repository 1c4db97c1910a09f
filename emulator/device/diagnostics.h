// What was found, put together by place, until the harness asks.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

#include "emulator/device/requests.h"
#include "lab/diagnostics.h"

namespace lab::emulated {

class Diagnostics {
 public:
  static Diagnostics& get();

  /// A mistake. Seen before at the same places: counted.
  void add(lab_diagnostic f, const char* kernel);
  /// The sums for one instruction. The reference stays good until take().
  Traffic& traffic(const char* kernel, uint64_t site, bool is_shared, unsigned bytes, lab_access access);
  /// Distinct bytes of global memory that a launch asked for.
  void distinct(const char* kernel, uint64_t bytes);

  /// All of it, mistakes first, then advice by what it costs; forgotten afterwards.
  std::vector<lab_diagnostic> take();

  /// Is this core in the middle of one of these? Who interrupts it may not ask for anything.
  static bool busy();

 private:
  class Lock;
  std::mutex mutex_;
  std::map<std::tuple<std::string, uint32_t, uint64_t, uint64_t>, lab_diagnostic> mistakes_;
  std::map<std::tuple<const char*, uint64_t, bool, unsigned>, Traffic> traffic_;
  std::map<std::string, uint64_t> distinct_;
};

}  // namespace lab::emulated
