// How long something took.
#pragma once

#include <chrono>

namespace harness {

class Stopwatch {
 public:
  using Clock = std::chrono::steady_clock;
  double s() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
  double ms() const { return s() * 1e3; }

 private:
  Clock::time_point start_ = Clock::now();
};

}  // namespace harness
