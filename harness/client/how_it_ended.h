// What the user is told if a worker crashes.
#pragma once

#include "harness/client/failure.h"
#include "harness/kernel/kernel.h"
#include "harness/sandbox/child.h"
#include "harness/worker/protocol.h"

namespace harness {

/// For messages: "while it ran".
const char* doing(protocol::Op op);

/// The worker is gone, and told nothing itself.
Failure how_it_ended(const Ended& ended, Rights rights, protocol::Op op);

/// The worker caught a signal. `problem` gives the names of buffers; null: none is loaded.
Failure describe_fault(const protocol::FaultReply& reply, Rights rights, const Problem* problem);

}  // namespace harness
