#include <algorithm>
#include <set>

#include "harness/base/random.h"
#include "harness/check/observation.h"

namespace harness {

std::vector<int64_t> sample_axis(int64_t size, size_t count, uint64_t secret) {
  std::set<int64_t> picked;
  if (static_cast<uint64_t>(size) <= count) {
    for (int64_t i = 0; i < size; ++i) picked.insert(i);
    return {picked.begin(), picked.end()};
  }
  uint64_t draws = 0;
  const auto random_below = [&](int64_t limit) {
    return static_cast<int64_t>(random_bits(secret, draws++) % static_cast<uint64_t>(limit));
  };
  const auto around = [&](int64_t edge) {
    for (const int64_t i : {edge - 1, edge, edge + 1})
      if (i >= 0 && i < size) picked.insert(i);
  };
  picked.insert({0, 1, size - 2, size - 1});
  for (const int64_t tile : {8, 16, 32, 64, 128}) {
    const int64_t last = (size - 1) / tile * tile;
    picked.insert({std::max<int64_t>(0, last - 1), last});
    if (tile < size) around(random_below(size / tile) * tile);
  }
  while (picked.size() < count) picked.insert(random_below(size));
  return {picked.begin(), picked.end()};
}

}  // namespace harness
