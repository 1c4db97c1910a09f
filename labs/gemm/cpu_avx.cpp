// AVX: 8 neighbouring columns of C at once (4 in f64), in one register.
//
// Compared with cpu_unrolled: one load, one broadcast and one fused multiply-add do a step for all 8
// columns.
//
// What limits it: for every row of A it reads all of B. Once B does not fit into the cache, these loads
// take longer than the arithmetic. For small matrices it is the sum itself: each step waits about 4 cycles
// for the previous one.
#ifndef LEVEL
#define LEVEL 3
#endif
#include "lab/level.h"

#include "lab/avx.h"
#include "lab/gemm.h"

LAB_NEEDS(avx2, fma);

template <class T>
static void gemm(const lab::Gemm<T>& g) {
  using V = lab::Avx<T>;
  for (int64_t i = 0; i < g.m; ++i) {
    const T* a = g.a + i * g.lda;
    T* c = g.c + i * g.ldc;
    int64_t j = 0;
    for (; j + V::lanes <= g.n; j += V::lanes) {
      auto sum = V::zero();
      for (int64_t p = 0; p < g.k; ++p) {
        sum = V::fmadd(V::broadcast(a[p]), V::load(g.b + p * g.ldb + j), sum);
      }
      lab::update(c + j, sum, g.alpha, g.beta);
    }
    for (; j < g.n; ++j) {  // the last columns, fewer than a vector
      T sum = 0;
      for (int64_t p = 0; p < g.k; ++p) sum += a[p] * g.b[p * g.ldb + j];
      lab::update(c[j], sum, g.alpha, g.beta);
    }
  }
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) { gemm(g); }
LAB_GEMM_CPU(double)(const lab::Gemm<double>& g) { gemm(g); }
