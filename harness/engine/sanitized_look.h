// A second look at a CPU variant of a submission that passed its check: a build of its own with sanitizers, on the problems of
// the check. What they report becomes diagnostics; it does not change the verdict.
#pragma once

#include "harness/engine/session.h"

namespace harness {

/// True if such a look is wanted for this build.
bool wants_sanitized_look(const PlacedLab& lab, const Build& build);
/// The build with the sanitizers for it, which become an option of `there`; nothing if it does not compile.
std::optional<Build> build_with_sanitizers(PlacedLab& there, const Build& build);
/// Adds to build.diagnostics. Finds nothing where the machine has no sanitizers.
void look_with_sanitizers(const PlacedLab& lab, Build& build);

}  // namespace harness
