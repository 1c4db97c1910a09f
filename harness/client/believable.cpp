#include "harness/client/believable.h"

namespace harness {
namespace {

bool is_kind(uint32_t kind) {
  return (kind >= lab_race_shared && kind < lab_after_mistakes) ||
         (kind >= lab_first_advice && kind < lab_after_advice);
}

bool believable(const lab_finding& f) {
  return is_kind(f.kind) && f.place.access <= lab_access_atomic && f.other.access <= lab_access_atomic &&
         f.count >= 0 && f.extent >= 0 && f.have >= 0 && f.ideal >= 0;
}

// Ended, and of plain characters only.
void clean(char* text, size_t size) {
  text[size - 1] = '\0';
  for (char* c = text; *c; ++c)
    if (*c < 0x20 || *c > 0x7e) *c = '?';
}

}  // namespace

std::optional<std::vector<lab_finding>> believable(const protocol::FindingsReply& reply) {
  if (reply.count < 0 || reply.count > LAB_MAX_FINDINGS) return std::nullopt;
  std::vector<lab_finding> all(reply.finding, reply.finding + reply.count);
  for (lab_finding& f : all) {
    if (!believable(f)) return std::nullopt;
    clean(f.kernel, sizeof f.kernel);
  }
  return all;
}

}  // namespace harness
