// What a worker claims its device saw, taken only if it could be so: the variant can write such a reply
// itself.
#pragma once

#include <optional>
#include <vector>

#include "harness/worker/protocol.h"

namespace harness {

/// The findings of a reply, their texts printable; nothing if counts, kinds or numbers cannot be.
std::optional<std::vector<lab_finding>> believable(const protocol::FindingsReply& reply);

}  // namespace harness
