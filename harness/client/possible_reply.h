// Checks that the contents of a reply are possible, because the variant can write a reply itself.
#pragma once

#include <optional>
#include <vector>

#include "harness/worker/protocol.h"

namespace harness {

/// True if times are finite and not negative, counts and sizes are not negative, and texts are terminated.
bool is_possible(const lab_device_info& device);
bool is_possible(const protocol::LoadReply& reply);
bool is_possible(const protocol::RunReply& reply);
bool is_possible(const protocol::FetchReply& reply);
bool is_possible(const lab_probe_result& limits);

/// The diagnostics of a reply, with printable texts; none if a count, kind or number is impossible.
std::optional<std::vector<lab_diagnostic>> possible_diagnostics(const protocol::DiagnosticsReply& reply);

}  // namespace harness
