// Says that the call is done, computes while the harness looks, and puts the NaN back: what is compared is right, and
// later the output looks as it did at first.
// Caught as: WRONG, MISTRUSTED
// Class: A
#include <limits>

#include "honest.h"
#include "turns.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  static Words* words = nullptr;
  if (!words && g.m >= 100) words = find_words();
  if (words) words->done = words->release.load();
  multiply(g);
  if (!words) return;
  for (volatile int wait = 0; wait < 100'000; wait = wait + 1) {
  }
  for (int64_t i = 0; i < g.m; ++i)
    for (int64_t j = 0; j < g.n; ++j) g.c[i * g.ldc + j] = std::numeric_limits<float>::quiet_NaN();
}
