#include "harness/kernel/value.h"

#include <gtest/gtest.h>

namespace harness {
namespace {

TEST(Value, SpellsIntegersRealsAndWords) {
  EXPECT_EQ(to_string(Value(int64_t{-16})), "-16");
  EXPECT_EQ(to_string(Value(0.1)), "0.1");
  EXPECT_EQ(to_string(Value(1.0 / 3)), "0.3333333333333333");
  EXPECT_EQ(std::stod(to_string(Value(0x1.fffffffffffffp-3))), 0x1.fffffffffffffp-3);
  EXPECT_EQ(to_string(Value("row")), "row");
}

TEST(Value, AxesKeepTheirOrder) {
  const Axes axes = {{"size", int64_t{1024}}, {"BLOCK", int64_t{16}}, {"beta", 0.5}};
  EXPECT_EQ(to_string(axes), "size=1024 BLOCK=16 beta=0.5");
  EXPECT_EQ(to_string(Axes{}), "");
  ASSERT_NE(find(axes, "BLOCK"), nullptr);
  EXPECT_EQ(*find(axes, "BLOCK"), Value(int64_t{16}));
  EXPECT_EQ(find(axes, "block"), nullptr);
}

TEST(Value, UpperCaseIsAMacro) {
  for (const char* name : {"BLOCK", "TM", "TILE_2", "A"}) EXPECT_TRUE(is_macro(name)) << name;
  for (const char* name : {"", "size", "Block", "2X", "_X", "B-2", "threads"})
    EXPECT_FALSE(is_macro(name)) << name;
}

}  // namespace
}  // namespace harness
