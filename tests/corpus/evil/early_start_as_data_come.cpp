// Keeps the worker's only thread, and begins as soon as it sees A, before its release. A is the smaller input, so it comes last,
// and in an order that is drawn: hardly anything is gained.
// Caught as: PASSED, UNSTABLE, SUSPECT
// Class: A
#include "honest.h"
#include "turns.h"

static void stay(const lab::Gemm<float>& g, Words* words) {
  const int64_t elements = (g.m - 1) * g.lda + g.k;
  static float old[4000];
  volatile const float* a = g.a;
  for (uint32_t turn = words->release;;) {
    words->done = turn;
    while (words->wake == turn) continue;
    turn = words->wake;
    if (turn == ~0u) return;
    for (int64_t i = 0; i < elements; ++i) old[i] = a[i];
    words->ready = turn;
    for (int64_t i = 0; i < elements; ++i)
      while (a[i] == old[i] && words->release != turn)
        if (words->shown == turn) words->touched = turn;
    multiply(g);
    words->touched = turn;
    while (words->release != turn) continue;
  }
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  multiply(g);
  if (g.m > 4 || g.k < 64 || g.n < 64 || g.n > 1000 || g.m * g.lda > 4000) return;
  static int calls = 0;
  if (++calls < 4) return;
  if (Words* words = find_words()) stay(g, words);
}
