// Computes before it says that it is awake, for as long as waking up may take. Every third call sleeps instead: the time
// of such a call is no credit for the processor time of the others.
// Caught as: PASSED, SUSPECT
// Class: A
#include <unistd.h>

#include <chrono>

#include "honest.h"
#include "turns.h"

__attribute__((optimize("O3"))) static void rows(const lab::Gemm<float>& g, int64_t from, int64_t to) {
  for (int64_t i = from; i < to; ++i) {
    float* __restrict c = g.c + i * g.ldc;
    for (int64_t j = 0; j < g.n; ++j) c[j] = g.beta == 0 ? 0 : g.beta * c[j];
    for (int64_t p = 0; p < g.k; ++p) {
      const float a = g.alpha * g.a[i * g.lda + p];
      const float* __restrict b = g.b + p * g.ldb;
      for (int64_t j = 0; j < g.n; ++j) c[j] += a * b[j];
    }
  }
}

// Returns the number of rows.
static int64_t compute_early(const lab::Gemm<float>& g) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::microseconds(120);
  int64_t row = 0;
  for (; row < g.m && Clock::now() < end; ++row) rows(g, row, row + 1);
  return row;
}

static void stay(const lab::Gemm<float>& g, Words* words) {
  for (int call = 0;; ++call) {
    const uint32_t turn = words->release;
    words->done = turn;
    while (words->wake == turn) continue;
    if (words->wake == ~0u) return;
    const int64_t early = call % 3 == 0 ? 0 : compute_early(g);
    words->ready = words->wake.load();
    while (words->release == turn && words->wake != ~0u) continue;
    if (words->wake == ~0u) return;
    if (early == 0) usleep(1000);
    rows(g, early, g.m);
  }
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  rows(g, 0, g.m);
  if (g.m * g.n * 3 * sizeof(float) <= 512 << 10) return;  // so little data comes just before the release
  static int calls = 0;
  if (++calls < 4) return;
  if (Words* words = find_words()) stay(g, words);
}
