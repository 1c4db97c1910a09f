// Checks each case at its own size and near it.
#pragma once

#include "harness/engine/check_call.h"

namespace harness {

/// What the emulated device runs of a case: its own problem if that is small enough, else one of the same proportions.
ProblemPtr emulated_problem(const PlacedLab& lab, const ProblemPtr& problem);
/// Runs that problem there, once for each build.
std::optional<Failure> check_emulated_case(const PlacedLab& lab, Session& session, const ProblemPtr& own, CheckRecord& check);
inline constexpr const char* reduced_size = "reduced size, exact";

/// Checks problems that are drawn near that of the case (Kernel::neighbours). If the case has more than `most_flops`, they are
/// near a smaller problem of the same proportions. A build is checked once near each problem. Call it after check_case,
/// which shows what the variant can afford, and again if the variant turns out to be faster: its line in `check` is replaced.
Tried<Unit> check_neighbours(const PlacedLab& lab, Session& session, const ProblemPtr& own, double most_flops, CheckRecord& check);

/// Checks integer and real data at the case's own size, before it is timed. Adds lines to `check`.
Tried<Unit> check_case(Session& session, const ProblemPtr& problem, CheckRecord& check, double expected_s);

/// Estimated time of one check at this size, without the call: for drawing data and for the reference.
double estimated_check_s(const Problem& problem);

}  // namespace harness
