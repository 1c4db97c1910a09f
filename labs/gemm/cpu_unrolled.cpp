// UNROLL neighbouring columns of C at once, each with a sum of its own.
//
// Against cpu_baseline: a cache line of B, once fetched, gives UNROLL numbers instead of one, and UNROLL
// additions are under way where one waited for the last.
//
// Unrolling the p loop instead breaks the same chain of additions but fetches as many cache lines: it gains a
// little while B fits into the cache, and nothing beyond (try it).
//
// Limit: for every row of A, all of B goes by again. Without -mavx2 the compiler has 4 lanes (SSE) at most.
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
    for (; j < g.n; ++j) {  // the columns that are left
      T sum = 0;
      for (int64_t p = 0; p < g.k; ++p) sum += a[p] * g.b[p * g.ldb + j];
      lab::update(c[j], sum, g.alpha, g.beta);
    }
  }
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) { gemm(g); }
LAB_GEMM_CPU(double)(const lab::Gemm<double>& g) { gemm(g); }
