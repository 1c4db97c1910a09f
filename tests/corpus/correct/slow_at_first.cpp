// Its first call sets something up, which takes 30 ms; the others do not.
#include <chrono>
#include <thread>

#include "lab/gemm.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  static const bool ready = (std::this_thread::sleep_for(std::chrono::milliseconds(30)), true);
  for (int64_t i = 0; i < g.m; ++i) {
    for (int64_t j = 0; ready && j < g.n; ++j) {
      float sum = 0;
      for (int64_t p = 0; p < g.k; ++p) sum += g.a[i * g.lda + p] * g.b[p * g.ldb + j];
      lab::update(g.c[i * g.ldc + j], sum, g.alpha, g.beta);
    }
  }
}
