// Times the cases that a report compares: one problem, several variants, interleaved in random order.
#pragma once

#include <vector>

#include "harness/engine/budget.h"
#include "harness/engine/idle.h"
#include "harness/engine/session.h"

namespace harness {

struct Timed {
  CaseState* state = nullptr;
  Session* session = nullptr;
  double cap_s = 15;  // sampling time it may use
};

/// All of one problem. Fills samples, rounds, stop reason, notes, proof of the timed output; the
/// evidence of each case.
void time_group(const Context& context, Idle& idle, std::vector<Timed>& cases, const Budget& budget);

}  // namespace harness
