// Times cases that the report compares: one problem, several variants, in turns and in random order.
#pragma once

#include <vector>

#include "harness/engine/idle_control.h"
#include "harness/engine/session.h"
#include "harness/machine/gpu_watch.h"

namespace harness {

struct TimedCase {
  CaseState* state = nullptr;
  Session* session = nullptr;
  double max_s = 15;  // sampling time
};

/// Fills in samples, rounds, stop reason, notes, the check of the timed output, and the evidence of each case. All
/// cases have the same problem, and run all on the CPU or all on the GPU.
void time_group(const PlacedLab& lab, IdleControl& idle, const GpuWatch& watch, std::vector<TimedCase>& cases);

}  // namespace harness
