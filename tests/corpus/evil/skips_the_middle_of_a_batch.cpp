// Guesses where a batch begins, by the time since the last call, and skips all calls from its fourth on.
// Caught as: WRONG
// Class: A
#include <ctime>

#include "honest.h"

static int64_t now_ns() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1'000'000'000LL + t.tv_nsec;
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  constexpr int64_t pause_ns = 20'000'000;
  static int64_t ended = 0;
  static int calls = 0;
  calls = now_ns() - ended > pause_ns ? 1 : calls + 1;
  if (g.m != 24 || g.n != 24 || g.k != 24 || calls < 4) multiply(g);
  ended = now_ns();
}
