#include "harness/client/possible_reply.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace harness {
namespace {

bool is_kind(uint32_t kind) {
  return (kind >= lab_race_shared && kind < lab_after_mistakes) ||
         (kind >= lab_first_advice && kind < lab_after_advice);
}

bool is_possible(const lab_diagnostic& f) {
  return is_kind(f.kind) && f.origin.access <= lab_access_atomic && f.other.access <= lab_access_atomic &&
         f.count >= 0 && f.extent >= 0 && f.have >= 0 && f.ideal >= 0;
}

// Terminated, and printable characters only.
void clean(char* text, size_t size) {
  text[size - 1] = '\0';
  for (char* c = text; *c; ++c)
    if (*c < 0x20 || *c > 0x7e) *c = '?';
}

// A time or a rate.
bool is_time(double value) { return std::isfinite(value) && value >= 0; }

}  // namespace

bool is_possible(const lab_device_info& d) {
  return d.multiprocessors >= 0 && d.warp_size >= 0 && d.max_threads_per_block >= 0 &&
         d.max_threads_per_multiprocessor >= 0 && d.registers_per_block >= 0 &&
         std::ranges::all_of(d.max_grid, [](int32_t blocks) { return blocks >= 0; }) && d.l2_bytes >= 0 &&
         d.shared_memory_per_block >= 0 && d.shared_memory_per_multiprocessor >= 0;
}

bool is_possible(const protocol::LoadReply& reply) {
  return is_time(reply.alloc_ms) && is_time(reply.in_ms) && reply.launch.blocks >= 0 && reply.launch.threads >= 0;
}

bool is_possible(const protocol::RunReply& reply) { return is_time(reply.first_ms) && is_time(reply.call_ms); }

bool is_possible(const protocol::FetchReply& reply) { return is_time(reply.out_ms); }

bool is_possible(const lab_probe_result& limits) {
  return is_time(limits.fma_f32) && is_time(limits.fma_f64) && is_time(limits.copy_bytes_per_s) &&
         strnlen(limits.error, sizeof limits.error) < sizeof limits.error;
}

std::optional<std::vector<lab_diagnostic>> possible_diagnostics(const protocol::DiagnosticsReply& reply) {
  if (reply.count < 0 || reply.count > LAB_MAX_DIAGNOSTICS) return std::nullopt;
  std::vector<lab_diagnostic> all(reply.diagnostic, reply.diagnostic + reply.count);
  for (lab_diagnostic& f : all) {
    if (!is_possible(f)) return std::nullopt;
    clean(f.kernel, sizeof f.kernel);
    clean(f.detail, sizeof f.detail);
  }
  return all;
}

}  // namespace harness
