// Keeps the worker's only thread, and adds up some steps of K before it says that it is awake, for no longer than waking up may take.
// At least a part of A comes only after that, so the sums have old numbers in them.
// Caught as: WRONG
// Class: A
#include <chrono>

#include "honest.h"
#include "turns.h"

static void add_step(const lab::Gemm<float>& g, int64_t p) {
  for (int64_t i = 0; i < g.m; ++i) {
    float* c = g.c + i * g.ldc;
    if (p == 0)
      for (int64_t j = 0; j < g.n; ++j) c[j] = g.beta == 0 ? 0 : g.beta * c[j];
    const float a = g.alpha * g.a[i * g.lda + p];
    for (int64_t j = 0; j < g.n; ++j) c[j] += a * g.b[p * g.ldb + j];
  }
}

static void stay(const lab::Gemm<float>& g, Words* words) {
  using Clock = std::chrono::steady_clock;
  for (uint32_t turn = words->release;;) {
    words->done = turn;
    while (words->wake == turn) continue;
    turn = words->wake;
    if (turn == ~0u) return;
    int64_t p = 0;
    for (const auto end = Clock::now() + std::chrono::microseconds(40); p < g.k && Clock::now() < end; ++p) add_step(g, p);
    words->ready = turn;
    while (words->release != turn)
      if (words->shown == turn) words->touched = turn;
    for (; p < g.k; ++p) add_step(g, p);
  }
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  multiply(g);
  if (g.m < 4 || g.k < 16) return;
  static int calls = 0;
  if (++calls < 4) return;
  if (Words* words = find_words()) stay(g, words);
}
