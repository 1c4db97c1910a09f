// What a worker claims, taken only if it could be so: the variant can write such a reply itself.
#pragma once

#include <optional>
#include <vector>

#include "harness/worker/protocol.h"

namespace harness {

/// Times are finite and not negative, counts and sizes not negative, texts ended.
bool believable(const lab_device_info& device);
bool believable(const protocol::LoadReply& reply);
/// `calls`: how many were asked for.
bool believable(const protocol::RunReply& reply, int calls);
bool believable(const protocol::FetchReply& reply);
bool believable(const lab_probe_result& limits);

/// The diagnostics of a reply, their texts printable; nothing if counts, kinds or numbers cannot be.
std::optional<std::vector<lab_diagnostic>> believable(const protocol::DiagnosticsReply& reply);

}  // namespace harness
