// Starts three threads in each call, each with a third of the rows, and waits for them.
#include <thread>

#include "lab/gemm.h"

LAB_NEEDS(threads);

static void some_rows(const lab::Gemm<float>& g, int64_t from, int64_t to) {
  for (int64_t i = from; i < to; ++i) {
    for (int64_t j = 0; j < g.n; ++j) {
      float sum = 0;
      for (int64_t p = 0; p < g.k; ++p) sum += g.a[i * g.lda + p] * g.b[p * g.ldb + j];
      lab::update(g.c[i * g.ldc + j], sum, g.alpha, g.beta);
    }
  }
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  std::thread first([&] { some_rows(g, 0, g.m / 3); });
  std::thread second([&] { some_rows(g, g.m / 3, 2 * g.m / 3); });
  some_rows(g, 2 * g.m / 3, g.m);
  first.join();
  second.join();
}
