// Has the compiler count to the end of time.
// Caught as: COMPILE_ERROR
// Class: F
#include "honest.h"

constexpr uint64_t count() {
  uint64_t sum = 0;
  for (uint64_t i = 0; i < ~uint64_t{0}; ++i) sum += i * i;
  return sum;
}
constexpr uint64_t counted = count();

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  multiply(g);
  g.c[0] += static_cast<float>(counted);
}
