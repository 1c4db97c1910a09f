#include <fmt/format.h>

#include "harness/check/tolerance.h"

namespace harness {

std::optional<std::string> padding_damage(const BufferSpec& spec, Dtype dtype, const std::byte* before,
                                          const std::byte* after) {
  int64_t damaged = 0, total = 0;
  std::optional<Cell> first;
  for (int64_t i = 0; i + 1 < spec.rows; ++i)  // the last row has no padding: the buffer ends with it
    for (int64_t j = spec.cols; j < spec.ld; ++j) {
      ++total;
      const int64_t at = i * spec.ld + j;
      if (load_bits(dtype, before, at) == load_bits(dtype, after, at)) continue;
      ++damaged;
      if (!first) first = Cell{i, j};
    }
  if (!first) return std::nullopt;
  return fmt::format(
      "{} of {} elements behind the rows of {} {} at {}[{}][{}]: rows are {} long and {} apart", damaged,
      total, spec.name, damaged == 1 ? "was overwritten," : "were overwritten, first", spec.name, first->row,
      first->col, spec.cols, spec.ld);
}

}  // namespace harness
