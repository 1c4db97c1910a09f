// blocked with a while loop
#include "lab/gemm.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  int64_t r = 0;
  while (r < g.m) {
    int64_t c = 0;
    while (c < g.n) {
      float total = 0;
      for (int64_t q = 0; q < g.k; ++q) total += g.a[r * g.lda + q] * g.b[q * g.ldb + c];
      lab::update(g.c[r * g.ldc + c], total, g.alpha, g.beta);
      if (c + 1 < g.n || g.n % 2 == 0) c++;
    }
    r++;
  }
}
