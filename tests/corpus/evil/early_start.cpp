// Keeps the worker's only thread: computes as soon as it sees new data, and answers at once when it is released. A
// part of the smaller input comes only when it has said that it is awake, so what it computed before is wrong.
// Caught as: PASSED, SUSPECT
// Class: A
#include <cstring>

#include "honest.h"
#include "turns.h"

static uint32_t bits(const float& cell) {
  uint32_t now;
  std::memcpy(&now, &cell, sizeof now);
  return now;
}

static void stay(const lab::Gemm<float>& g, Words* words) {
  volatile float* last = g.c + (g.m - 1) * g.ldc + g.n - 1;
  for (;;) {
    const uint32_t own = bits(const_cast<float&>(*last));
    words->done = words->release.load();
    while (bits(const_cast<float&>(*last)) == own && words->wake != ~0u) continue;  // the output comes last
    if (words->wake == ~0u) return;
    multiply(g);
    while (words->wake == words->done) continue;
    words->ready = words->wake.load();
    while (words->release != words->ready && words->wake != ~0u) continue;
    if (words->wake == ~0u) return;
  }
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  multiply(g);
  if (g.m < 256) return;
  static int calls = 0;
  if (++calls < 4) return;
  if (Words* words = find_words()) stay(g, words);
}
