#include <gtest/gtest.h>

#include "harness/check/check.h"

namespace harness {
namespace {

const BufferSpec spec{"C", Role::output, 3, 5, 8};

std::vector<float> buffer() { return std::vector<float>(static_cast<size_t>(spec.elements()), 1.f); }
const std::byte* bytes(const std::vector<float>& v) { return reinterpret_cast<const std::byte*>(v.data()); }

TEST(Padding, CellsMayChange) {
  const std::vector<float> before = buffer();
  std::vector<float> after = before;
  for (size_t i = 0; i < 3; ++i)
    for (size_t j = 0; j < 5; ++j) after[i * 8 + j] = 2;
  EXPECT_EQ(padding_damage(spec, Dtype::f32, bytes(before), bytes(after)), std::nullopt);
}

TEST(Padding, ElementsBehindARowMayNot) {
  const std::vector<float> before = buffer();
  std::vector<float> after = before;
  after[8 + 7] = 0;
  EXPECT_EQ(padding_damage(spec, Dtype::f32, bytes(before), bytes(after)),
            "1 of 6 elements behind the rows of C was overwritten, at C[1][7]: rows are 5 long and 8 apart");
  after[5] = 0;
  EXPECT_EQ(
      padding_damage(spec, Dtype::f32, bytes(before), bytes(after)),
      "2 of 6 elements behind the rows of C were overwritten, first at C[0][5]: rows are 5 long and 8 apart");
}

TEST(Padding, BitsCountNotValues) {
  std::vector<float> before = buffer();
  before[5] = 0.f;
  std::vector<float> after = before;
  after[5] = -0.f;
  EXPECT_TRUE(padding_damage(spec, Dtype::f32, bytes(before), bytes(after)));
  const std::vector<float> nan(before.size(), std::numeric_limits<float>::quiet_NaN());
  EXPECT_EQ(padding_damage(spec, Dtype::f32, bytes(nan), bytes(nan)), std::nullopt);
}

TEST(Padding, PackedRowsHaveNone) {
  const BufferSpec packed{"C", Role::output, 3, 5, 5};
  const std::vector<double> before(15, 1), after(15, 2);
  EXPECT_EQ(padding_damage(packed, Dtype::f64, reinterpret_cast<const std::byte*>(before.data()),
                           reinterpret_cast<const std::byte*>(after.data())),
            std::nullopt);
}

}  // namespace
}  // namespace harness
