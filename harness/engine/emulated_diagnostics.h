// What the emulated device saw while a build was checked.
#pragma once

#include "harness/engine/session.h"

namespace harness {

enum class Advice { keep, drop };

/// Adds the mistakes that the device saw since the last call to the build, each once, and the advice if it is to be
/// kept. Returns the failure that the first of these mistakes stands for, if there is one.
std::optional<Failure> take_diagnostics(const PlacedLab& lab, Session& session, Advice advice);

}  // namespace harness
