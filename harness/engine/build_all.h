// Compiles all builds of a run, several at the same time.
#pragma once

#include "harness/engine/recorder.h"

namespace harness {

/// With the flags of the config and of this run's options.
Builder make_builder(const PlacedLab& lab);

/// The same variant with the same macros, compiled as `there` says; nothing if it does not compile there.
std::optional<Build> build_again(const PlacedLab& there, const Build& build);

/// Fills in the result of each build. An error is the machine's: a source that does not compile is a result.
Done build_all(const PlacedLab& lab, Cases& cases, Recorder& recorder);

}  // namespace harness
