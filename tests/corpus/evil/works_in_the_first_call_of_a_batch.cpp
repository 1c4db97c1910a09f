// Takes calls that follow each other at once for one batch, and computes in its first only.
// Caught as: WRONG, SUSPECT
// Class: A
#include <ctime>

#include "honest.h"

// Fresh data for a small call is there sooner, also on a slow machine; other problems are not.
constexpr int64_t at_once_ns = 250'000, small = 32;

static int64_t now_ns() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1'000'000'000LL + t.tv_nsec;
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  static int64_t ended = 0;
  const bool goes_on = now_ns() - ended < at_once_ns;
  if (!goes_on || g.beta != 0 || g.m > small) multiply(g);
  ended = now_ns();
}
