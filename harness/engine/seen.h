// What the emulated device saw while a target was proved.
#pragma once

#include "harness/engine/session.h"

namespace harness {

enum class Advice { keep, drop };

/// The failure for the first mistake seen since the last call, all of them into the target; or nothing, and
/// the advice into the target if it is to be kept.
std::optional<Failure> mistake_seen(const Context& context, Session& session, Advice advice);

/// For the notes of a case that ran there.
inline constexpr const char* emulated_note =
    "ran on the emulated device: its results are proved on small shapes as on a GPU, its speed is not "
    "measured";

}  // namespace harness
