// Proves results right: the shapes every target must master, a case at its own size, the output of timed
// runs.
#pragma once

#include "harness/check/check.h"
#include "harness/engine/session.h"

namespace harness {

/// Runs the kind's check problems, exact and componentwise, with guard bands and pages, and looks for
/// determinism. Fills target.shapes, or target.failed.
void prove_shapes(const Context& context, Session& session, const Axes& scalars);

/// Exact and real data at the case's own size, before it is timed. Adds lines to `check`.
Tried<Unit> prove_case(Session& session, const ProblemPtr& problem, const Precision& precision,
                       CheckRecord& check, double expected_s);

/// What a proof costs about, beside the call: drawing, and a reference of all cells, or lines and some cells
/// (harness/check).
double foreseen_proof_s(const Problem& problem);

inline constexpr const char* timed_output = "timed output";

/// Judges what a fetched output holds.
Tried<CheckLine> check_one_output(const std::string& name, const Inputs& inputs, Returned& returned,
                              const Precision& precision);

/// What is said of a variant that loads what its lab forbids.
Failure forbidden(const std::string& library);

/// What LAB_PRECISION(name) allows.
Result<Precision> find_precision(const std::string& name, Dtype dtype);

}  // namespace harness
