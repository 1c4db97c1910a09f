// Two threads use one array of sums, each for its own rows.
// Caught as: WRONG
#include <chrono>
#include <thread>
#include <vector>

#include "lab/gemm.h"

LAB_NEEDS(threads);

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  std::vector<float> sum(g.n);
  const auto rows = [&](int64_t from) {
    for (int64_t i = from; i < g.m; i += 2) {
      for (float& x : sum) x = 0;
      for (int64_t p = 0; p < g.k; ++p)
        for (int64_t j = 0; j < g.n; ++j) sum[j] += g.a[i * g.lda + p] * g.b[p * g.ldb + j];
      std::this_thread::sleep_for(std::chrono::microseconds(100));  // the other one is at work
      for (int64_t j = 0; j < g.n; ++j) lab::update(g.c[i * g.ldc + j], sum[j], g.alpha, g.beta);
    }
  };
  std::thread other(rows, 1);
  rows(0);
  other.join();
}
