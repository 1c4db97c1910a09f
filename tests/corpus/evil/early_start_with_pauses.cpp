// As early_start, but every fifth call sleeps. Processor time that is missing in those calls is no credit for work beside
// the others.
// Caught as: PASSED, SUSPECT
// Class: A
#include <unistd.h>

#include <cstring>
#include <vector>

#include "honest.h"
#include "turns.h"

static uint32_t bits(const float& cell) {
  const float value = const_cast<const volatile float&>(cell);
  uint32_t now;
  std::memcpy(&now, &value, sizeof now);
  return now;
}

static std::vector<uint32_t> print_of(const lab::Gemm<float>& g) {
  std::vector<uint32_t> print;
  for (int64_t i = 0; i < g.m * g.k; i += 7) print.push_back(bits(g.a[i / g.k * g.lda + i % g.k]));
  for (int64_t i = 0; i < g.k * g.n; i += 7) print.push_back(bits(g.b[i / g.n * g.ldb + i % g.n]));
  return print;
}

// Other variants get new data in the same memory, so what was computed early may be of no use.
static void stay(const lab::Gemm<float>& g, Words* words) {
  std::vector<float> early(g.m * g.n);
  std::vector<uint32_t> seen;
  lab::Gemm<float> aside = g;
  aside.c = early.data();
  aside.ldc = g.n;
  for (int call = 0;; ++call) {
    const uint32_t turn = words->release;
    words->done = turn;
    while (words->wake == turn) {
      usleep(100);
      if (print_of(g) == seen) continue;
      seen = print_of(g);
      multiply(aside);
    }
    if (words->wake == ~0u) return;
    words->ready = words->wake.load();
    while (words->release == turn && words->wake != ~0u) continue;
    if (words->wake == ~0u) return;
    if (call % 5 == 0) usleep(100'000);
    if (print_of(g) != seen) multiply(aside);
    for (int64_t i = 0; i < g.m; ++i) std::memcpy(g.c + i * g.ldc, aside.c + i * g.n, g.n * sizeof(float));
  }
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  multiply(g);
  if (g.m < 256) return;
  static int calls = 0;
  if (++calls < 4) return;
  if (Words* words = find_words()) stay(g, words);
}
