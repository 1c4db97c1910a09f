// Runs the same work on several cores at once and times each lap of it.
#pragma once

#include <time.h>

#include <functional>
#include <vector>

#include "harness/base/result.h"

namespace harness {

struct Lap {
  double wall_s = 0, cpu_s = 0;  // less CPU than wall time means that something else used the core
};

struct PinnedWork {
  int threads = 1;
  int laps = 1;
  std::function<bool(int thread)> prepare;       // called once on its core, so that its memory is near; false: failed
  std::function<void(int thread, int lap)> lap;  // all threads start a lap together
};

double clock_seconds(clockid_t clock);

/// laps[i][t] is the i-th lap of thread t. An error if a thread cannot be started or prepared.
Result<std::vector<std::vector<Lap>>> run_pinned(const PinnedWork& work);

}  // namespace harness
