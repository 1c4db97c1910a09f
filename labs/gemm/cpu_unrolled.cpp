// UNROLL neighbouring columns of C at once. Each has its own sum.
//
// Compared with cpu_baseline: each cache line of B gives UNROLL numbers instead of one, and UNROLL
// additions run at the same time, where cpu_baseline waits for one.
//
// Unrolling the p loop instead also runs several additions at once, but it fetches as many cache lines as
// cpu_baseline: a little faster while B fits into the cache, and no faster beyond that (try it).
//
// What limits it: for every row of A it reads all of B. And without -mavx2 the compiler has vectors of 4
// lanes (SSE) at most.
#include "lab/gemm.h"

#ifndef UNROLL
#define UNROLL 4
#endif

template <class T>
static void gemm(const lab::Gemm<T>& g) {
  for (int64_t i = 0; i < g.m; ++i) {
    const T* a = g.a + i * g.lda;
    T* c = g.c + i * g.ldc;
    int64_t j = 0;
    for (; j + UNROLL <= g.n; j += UNROLL) {
      T sum[UNROLL] = {};
      for (int64_t p = 0; p < g.k; ++p) {
        const T* b = g.b + p * g.ldb + j;
        for (int u = 0; u < UNROLL; ++u) sum[u] += a[p] * b[u];
      }
      for (int u = 0; u < UNROLL; ++u) lab::update(c[j + u], sum[u], g.alpha, g.beta);
    }
    for (; j < g.n; ++j) {  // the remaining columns
      T sum = 0;
      for (int64_t p = 0; p < g.k; ++p) sum += a[p] * g.b[p * g.ldb + j];
      lab::update(c[j], sum, g.alpha, g.beta);
    }
  }
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) { gemm(g); }
LAB_GEMM_CPU(double)(const lab::Gemm<double>& g) { gemm(g); }
