// Keeps the worker's only thread, and begins as soon as it sees A, before its release. A is the smaller input, so it comes last:
// hardly anything is gained.
// Caught as: PASSED, UNSTABLE, SUSPECT
// Class: A
#include "honest.h"
#include "turns.h"

static void stay(const lab::Gemm<float>& g, Words* words) {
  volatile const float *first = g.a, *last = g.a + (g.m - 1) * g.lda + g.k - 1;
  for (uint32_t turn = words->release;;) {
    words->done = turn;
    while (words->wake == turn) continue;
    turn = words->wake;
    if (turn == ~0u) return;
    const float old_first = *first, old_last = *last;
    words->ready = turn;
    while ((*first == old_first || *last == old_last) && words->release != turn)
      if (words->shown == turn) words->touched = turn;
    multiply(g);
    words->touched = turn;
    while (words->release != turn) continue;
  }
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  multiply(g);
  if (g.m > 4 || g.k < 64 || g.n < 64 || g.n > 1000) return;
  static int calls = 0;
  if (++calls < 4) return;
  if (Words* words = find_words()) stay(g, words);
}
