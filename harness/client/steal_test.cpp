#include "harness/client/steal.h"

#include <gtest/gtest.h>

namespace harness {
namespace {

using ByCpu = std::vector<double>;

TEST(Steal, IsTheEighthNumberOfEachProcessorsLine) {
  const char* stat =
      "cpu  1 2 3 4 5 6 7 99 9 10\n"
      "cpu0 1 2 3 4 5 6 7 8 9 10\n"
      "cpu2 1 2 3 4 5 6 7 40 0 0\n"
      "intr 5\n";
  EXPECT_EQ(stolen_ms_by_cpu(stat, 10), (ByCpu{80, 0, 400}));
  EXPECT_EQ(stolen_ms_by_cpu("cpu0 1 2 3\ncpu99999999 1 2 3 4 5 6 7 8 9 10\ncpu\n", 10), ByCpu{});
  EXPECT_EQ(stolen_ms_by_cpu("", 10), ByCpu{});
}

TEST(Steal, NeverShrinks) {
  const StealWatch of_all, of_one({0}), of_none_there_is({1 << 20});
  EXPECT_GE(of_all.stolen_ms(), 0);
  EXPECT_GE(of_one.stolen_ms(), 0);
  EXPECT_GE(of_none_there_is.stolen_ms(), 0);
}

}  // namespace
}  // namespace harness
