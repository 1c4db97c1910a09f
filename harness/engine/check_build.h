// Checks outputs: of each build on the problems of the kernel's check, of each case at its own size, and of timed
// calls.
#pragma once

#include "harness/check/check.h"
#include "harness/engine/session.h"

namespace harness {

/// Runs the problems of the kernel's check with guard bands and guard pages, and looks for differences between two runs
/// on the same data. Fills in build.check, or build.failed. `scalars`: parameters of the case, as alpha and beta.
void check_build(const PlacedLab& lab, Session& session, const Axes& scalars);

/// What the emulated device runs of a case: its own problem if that is small enough, else one of the same proportions.
ProblemPtr emulated_problem(const PlacedLab& lab, const ProblemPtr& problem);
/// Runs that problem there, once for each build.
std::optional<Failure> check_emulated_case(const PlacedLab& lab, Session& session, const ProblemPtr& own,
                                           const Precision& precision, CheckRecord& check);

/// Checks problems that are drawn near that of the case (Kernel::neighbours). If the case has more than `most_flops`, they are
/// near a smaller problem of the same proportions. A build is checked once near each problem.
Tried<Unit> check_neighbours(const PlacedLab& lab, Session& session, const ProblemPtr& own, const Precision& precision,
                            double most_flops, CheckRecord& check);

/// Checks integer and real data at the case's own size, before it is timed. Adds lines to `check`.
Tried<Unit> check_case(Session& session, const ProblemPtr& problem, const Precision& precision, CheckRecord& check,
                       double expected_s);

/// One call of a variant on new data, and what it returned.
struct Ran {
  Inputs inputs;
  ReturnedRegions returned;
  double call_ms = 0;
};
/// Draws data, runs the variant once and fetches the output. With `same_bits` it runs a second time on the same data.
Tried<Ran> run_once(Session& session, const ProblemPtr& problem, Fill fill, Edge edge, double expected_s,
                    std::optional<bool>* same_bits = nullptr);

/// Estimated time of one check at this size, without the call: for drawing data and for the reference.
double estimated_check_s(const Problem& problem);

inline constexpr const char* timed_output = "timed output";
inline constexpr const char* reduced_size = "reduced size, exact";

/// Checks the output that a worker returned. The line may be weak.
Tried<CheckLine> check_one_output(const std::string& name, const Inputs& inputs, ReturnedRegions& returned,
                                  const Precision& precision);

/// The failure of an output whose check shows nothing.
Failure zeros_would_pass(const Problem& problem);

/// What its LAB_PRECISION(...) allows.
Tried<Precision> declared_precision(const Build& build);

}  // namespace harness
