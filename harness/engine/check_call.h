// Checks one call: the output of a variant on data that are drawn for it.
#pragma once

#include "harness/check/check.h"
#include "harness/engine/session.h"

namespace harness {

/// One call of a variant on new data, and what it returned.
struct Ran {
  Inputs inputs;
  ReturnedRegions returned;
  double call_ms = 0;
};
/// Draws data, runs the variant once and fetches the output. With `same_bits` it runs a second time on the same data.
Tried<Ran> run_once(Session& session, const ProblemPtr& problem, Fill fill, Edge edge, double expected_s,
                    std::optional<bool>* same_bits = nullptr);

/// Checks the output that a worker returned. The line may be weak.
Tried<CheckLine> check_one_output(const Inputs& inputs, ReturnedRegions& returned, const Precision& precision);
/// The same for a timed call.
Tried<CheckLine> check_timed_output(const Inputs& inputs, ReturnedRegions& returned, const Precision& precision);

/// The same for a call that may have failed. A weak line is a failure (zeros_would_pass).
Tried<CheckLine> check_ran(Tried<Ran>& ran, const Precision& precision);
/// The same; while the line is weak, it draws and runs again, a few times. `ran` is the last call.
Tried<CheckLine> check_drawn(Session& session, const ProblemPtr& problem, Fill fill, Edge edge, double expected_s,
                             Tried<Ran>& ran);

/// The failure of an output whose check shows nothing.
Failure zeros_would_pass(const Problem& problem);

}  // namespace harness
