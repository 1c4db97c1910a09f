// What the emulated device saw while a build was checked.
#pragma once

#include "harness/engine/session.h"

namespace harness {

/// Finds lines of the student's source in the object of a build.
Locator locator_of(const PlacedLab& lab, const Build& build);

enum class Advice { keep, drop };

/// Adds the mistakes that the device saw since the last call to the build, each once, and the advice if it is to be
/// kept. Returns the failure of the first mistake that fails a case.
std::optional<Failure> take_diagnostics(const PlacedLab& lab, Session& session, Advice advice, const Problem& problem);

}  // namespace harness
