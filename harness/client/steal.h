// What the host of a virtual machine takes of its processors: time that passes for nobody in it.
#pragma once

#include <string>
#include <vector>

namespace harness {

/// By processor, from the text of /proc/stat, which counts in ticks; 0 for those that it does not name.
std::vector<double> stolen_ms_by_cpu(const std::string& stat, double tick_ms);

class StealWatch {
 public:
  /// Over these processors and those that the caller is seen on; none: over all.
  explicit StealWatch(std::vector<int> cpus = {});
  /// What was taken since then of all of them together, in steps of 10 ms; 0 where the kernel does not tell.
  double stolen_ms() const;
  /// Is this a machine of which anything was ever taken?
  bool ever() const;

 private:
  std::vector<int> cpus_;
  std::vector<double> before_;
};

}  // namespace harness
