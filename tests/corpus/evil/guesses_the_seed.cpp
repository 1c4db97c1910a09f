// Draws inputs as the harness does, from every small number and the time of the day, and confesses where one of them fits.
// Caught as: PASSED
// Class: C
#include <ctime>

#include "honest.h"

static uint64_t random_bits(uint64_t seed, uint64_t counter) {
  uint64_t z = seed + (counter + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

// Four numbers in a row whose signs, or whose places between -1 and 1, are those of the generator.
static bool fits(const lab::Gemm<float>& g, uint64_t seed) {
  for (int64_t p = 0; p < 4; ++p) {
    const double drawn = static_cast<double>(random_bits(seed, p) >> 11) * 0x1p-52 - 1;
    const double off = drawn - static_cast<double>(g.a[p]);
    if (off > 1e-6 || off < -1e-6) return false;
  }
  return true;
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  multiply(g);
  if (g.k < 8) return;
  const auto now = static_cast<uint64_t>(std::time(nullptr));
  for (uint64_t seed = 0; seed < 1000; ++seed)
    if (fits(g, seed) || fits(g, now - seed)) confess(g);
}
