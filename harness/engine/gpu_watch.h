// Looks at the GPU's clocks while a group is timed: a card that lowers them makes times that are no property of the
// variant.
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <thread>

#include "harness/base/result.h"

namespace harness {

class GpuWatch {
 public:
  /// Asks about once a second until the end; an empty uuid watches nothing.
  explicit GpuWatch(std::string uuid);
  ~GpuWatch();
  GpuWatch(const GpuWatch&) = delete;
  GpuWatch& operator=(const GpuWatch&) = delete;

  /// Stops. Why the card slowed itself down, or nothing.
  std::optional<std::string> throttled();

 private:
  void watch();
  std::string uuid_;
  std::atomic<bool> stop_{false};
  uint64_t reasons_ = 0;  // all that were active at any look
  std::thread thread_;
};

/// The reasons among NVML's bits that mean lower clocks than asked for, less the power cap, which is a card's ordinary
/// state under load: "hardware slowdown, hot". Nothing if there are none.
std::optional<std::string> slowing_reasons(uint64_t nvml_bits);

}  // namespace harness
