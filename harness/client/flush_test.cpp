#include "harness/client/flush.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "harness/client/regions.h"

namespace harness {
namespace {

// Each byte says where the next one is looked for, so that no processor can load ahead.
double walk_s(const Region& region, int64_t bytes) {
  const auto start = std::chrono::steady_clock::now();
  int64_t at = 0;
  for (int64_t done = 0; done < bytes; done += 64)
    at = (at + 64 * 37 + static_cast<int64_t>(region.data()[at])) % bytes;
  const double s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  EXPECT_EQ(at % 64, 0);
  return s;
}

TEST(Flush, TheNextReadsComeFromMemory) {
  constexpr int64_t bytes = 16 << 10;  // fits into every first-level cache
  auto region = Region::make(bytes, Edge::middle, 1);
  ASSERT_TRUE(region) << region.error().message;
  std::fill_n(region->data(), bytes, std::byte{0});
  const std::vector<std::byte> zeros(bytes);
  double cached_s = 1, flushed_s = 1, copied_s = 1;  // the best of some tries: other processes disturb some
  for (int i = 0; i < 50; ++i) {
    walk_s(*region, bytes);
    cached_s = std::min(cached_s, walk_s(*region, bytes));
    flush_from_caches(*region);
    flushed_s = std::min(flushed_s, walk_s(*region, bytes));
    for (size_t at = 0; at < zeros.size(); at += cache_line_bytes)
      copy_past_caches(region->data() + at, zeros.data() + at, cache_line_bytes);
    wait_for_flushes();
    copied_s = std::min(copied_s, walk_s(*region, bytes));
  }
  EXPECT_GT(flushed_s, 2 * cached_s);
  EXPECT_GT(copied_s, 2 * cached_s);
  EXPECT_EQ(region->data()[bytes - 1], std::byte{0});
}

}  // namespace
}  // namespace harness
