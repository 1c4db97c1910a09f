// What may explain a wrong output: earlier calls, a race, a mistake that the emulated device sees.
#pragma once

#include "harness/engine/check_call.h"

namespace harness {

/// How an output came about.
struct HowRun {
  ProblemPtr problem;
  Fill fill = Fill::integers;
  Edge edge = Edge::end;
};

/// Runs the variant again, to say more in `failure`. `problems`: all that it is checked on.
void explain_wrong(const PlacedLab& lab, Session& session, const std::vector<ProblemPtr>& problems, const HowRun& how,
                   Ran& wrong, Failure& failure);

/// Runs a problem that failed on the emulated device, which looks for races, barriers and bounds: a GPU, or the emulated
/// device without diagnostics, says little.
void look_on_emulated_device(const PlacedLab& lab, Session& session, const ProblemPtr& problem, Fill fill);

}  // namespace harness
