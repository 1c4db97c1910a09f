// Cases that ran on the emulated device: one line per build, and each diagnostic once.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "harness/store/records.h"

namespace harness {

enum class Show;

class EmulatedLines {
 public:
  using Print = std::function<void(const std::string&)>;

  /// The line of the build, when its first case ends: all sizes have the same verdict.
  void ended(const CaseRecord& record, Show show, const Print& print);
  /// The diagnostics of all builds, which builds have them, and how many cases ran at a smaller size.
  void end(const Print& print) const;

 private:
  struct Shown {
    std::string key, text;
    std::vector<std::string> builds;
  };
  std::set<std::string> builds_;
  std::vector<Shown> diagnostics_;
  int reduced_ = 0;
};

}  // namespace harness
