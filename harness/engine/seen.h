// What the emulated device saw while a target was proved.
#pragma once

#include "harness/engine/session.h"

namespace harness {

enum class Advice { keep, drop };

/// Mistakes seen since the last call go into the target, each once, and advice if it is to be kept. The
/// failure is that of the first mistake that fails a case.
std::optional<Failure> mistake_seen(const Context& context, Session& session, Advice advice);

}  // namespace harness
