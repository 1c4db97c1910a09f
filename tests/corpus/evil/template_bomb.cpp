// Templates that need two more of themselves each.
// Caught as: COMPILE_ERROR
// Class: F
#include "honest.h"

template <int depth, int64_t path>
struct Bomb {
  static constexpr int64_t value = Bomb<depth - 1, 2 * path>::value + Bomb<depth - 1, 2 * path + 1>::value;
};
template <int64_t path>
struct Bomb<0, path> {
  static constexpr int64_t value = path;
};

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  multiply(g);
  g.c[0] += static_cast<float>(Bomb<60, 1>::value);
}
