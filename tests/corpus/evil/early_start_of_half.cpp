// Keeps the worker's only thread, and computes half of its rows before it says that it is awake. The data are not there yet if they
// are few, so that it gains nothing. If they are many, a part of A comes later.
// Caught as: PASSED, UNSTABLE, SUSPECT
// Class: A
#include "honest.h"
#include "turns.h"

static void stay(const lab::Gemm<float>& g, Words* words) {
  for (uint32_t turn = words->release;;) {
    words->done = turn;
    while (words->wake == turn) continue;
    turn = words->wake;
    if (turn == ~0u) return;
    const int64_t half = g.m / 2;
    multiply(g.rows(0, half));
    words->ready = turn;
    while (words->shown != turn && words->release != turn) continue;
    if (words->release == turn) {
      multiply(g.rows(half, g.m - half));
      continue;
    }
    words->touched = turn;
    while (words->release != turn) continue;
    multiply(g);
  }
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  multiply(g);
  if (g.n < 32) return;
  static int calls = 0;
  if (++calls < 4) return;
  if (Words* words = find_words()) stay(g, words);
}
