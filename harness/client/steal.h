// Steal: time that the host of a virtual machine takes from its processors.
#pragma once

#include <string>
#include <vector>

namespace harness {

/// Steal per processor, from the text of /proc/stat, which counts in ticks; 0 for processors that it does not list.
std::vector<double> stolen_ms_by_cpu(const std::string& stat, double tick_ms);

class StealWatch {
 public:
  /// Watches these processors and those that the caller runs on; without any, all processors.
  explicit StealWatch(std::vector<int> cpus = {});
  /// Steal of these processors together since construction, in steps of 10 ms; 0 if the kernel does not report it.
  double stolen_ms() const;
  /// True if this machine has ever had steal.
  bool ever() const;

 private:
  std::vector<int> cpus_;
  std::vector<double> before_;
};

}  // namespace harness
