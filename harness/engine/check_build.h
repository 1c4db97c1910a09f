// Checks each build on the problems of the kernel's check.
#pragma once

#include "harness/engine/check_call.h"

namespace harness {

/// Runs the problems of the kernel's check with guard bands and guard pages, and looks for differences between two runs
/// on the same data. Fills in build.check, or build.failed.
void check_build(const PlacedLab& lab, Session& session);

/// Checks one problem. A failure says what helps to find the mistake; to find that, others of `problems` may run too. With
/// `same_bits` the variant runs twice on the same data.
Tried<CheckLine> check_problem(const PlacedLab& lab, Session& session, const std::vector<ProblemPtr>& problems,
                               const ProblemPtr& problem, Fill fill, Edge edge, std::optional<bool>* same_bits = nullptr);

}  // namespace harness
