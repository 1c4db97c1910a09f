// Waits for a worker, with a deadline. The deadline is extended by the time that the host of a virtual machine took, within
// bounds.
#pragma once

#include "harness/worker/turns.h"

namespace harness {

enum class Wait { ready, timeout, interrupted, replied };

/// Waits until there is a message on the channel.
Wait wait_for_reply(int channel, double timeout_s);

/// How the harness waits for a worker in its turns.
enum class Waiting {
  spins,  // on a core of its own: it sees the end of a call within a microsecond
  sleeps  // the variant may use all cores
};

/// Waits until `word` is `turn`. Wait::replied: there is a message on the channel instead.
Wait wait_for_turn(protocol::Turns::Word& word, uint32_t turn, Waiting waiting, int channel, double timeout_s);

}  // namespace harness
