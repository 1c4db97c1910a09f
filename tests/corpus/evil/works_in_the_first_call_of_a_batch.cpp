// Takes calls that follow each other within a microsecond or so for one batch, and computes in its first only.
// Caught as: WRONG, SUSPECT
// Class: A
#include <ctime>

#include "honest.h"

static int64_t now_ns() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1'000'000'000LL + t.tv_nsec;
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  static int64_t ended = 0;
  const bool goes_on = now_ns() - ended < 2000;
  if (!goes_on || g.beta != 0) multiply(g);
  ended = now_ns();
}
