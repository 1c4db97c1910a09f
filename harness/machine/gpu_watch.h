// Watches the clocks of the GPU while a group is timed. If the card lowers them, the times are not a property of the
// variant. nvidia-smi reads them, in a process of its own that lasts as long as the group.
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <thread>

#include "harness/base/result.h"

namespace harness {

class GpuWatch {
 public:
  /// Does nothing if the uuid is empty.
  explicit GpuWatch(std::string uuid);
  ~GpuWatch();
  GpuWatch(const GpuWatch&) = delete;
  GpuWatch& operator=(const GpuWatch&) = delete;

  /// Of the multiprocessors, as it was about a tenth of a second ago; nothing if that is not known.
  std::optional<double> sm_clock_mhz() const;

  /// Stops watching. Returns why the card lowered its clocks, or nothing.
  std::optional<std::string> throttled();

 private:
  void watch();
  std::string uuid_;
  std::atomic<bool> stop_{false};
  std::atomic<double> sm_clock_mhz_{0};
  uint64_t reasons_ = 0;  // all that were active at any time
  std::thread thread_;
};

/// The reasons for lower clocks among NVML's bits, or nothing: "hardware slowdown, too hot (hardware)". The power cap
/// is not among them, because it is the normal state of a card under load.
std::optional<std::string> slowing_reasons(uint64_t nvml_bits);

}  // namespace harness
