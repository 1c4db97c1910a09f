// cpu_avx with cache blocks: BLOCK x BLOCK pieces of A, B and C.
//
// Compared with cpu_avx: a piece of B stays in the cache and is used for BLOCK rows of A, so all of B is
// fetched m / BLOCK times instead of m times. In exchange, C is read and written k / BLOCK times. Short
// sums also help: the CPU starts the next sum while the previous one still waits for its additions.
//
// What limits it: the rows of a piece are ldb elements apart. If ldb is a power of two, they map to few
// cache sets and evict each other long before the cache is full ("The cache performance and optimizations
// of blocked algorithms", ASPLOS 1991). The solution is to copy pieces into contiguous memory (packing)
// and to keep a tile of C in registers. cpu_threads and cpu_openblas do both.
#ifndef LEVEL
#define LEVEL 3
#endif
#include "lab/level.h"

#include <algorithm>

#include "lab/avx.h"
#include "lab/gemm.h"

LAB_NEEDS(avx2, fma);

#ifndef BLOCK
#define BLOCK 32
#endif
LAB_TUNE(BLOCK, 16, 32, 64, 128, 256);

/// Adds the products of steps [p0, p1) to rows [i0, i1) and columns [j0, j1) of C.
template <class T>
static void add_block(const lab::Gemm<T>& g, int64_t i0, int64_t i1, int64_t j0, int64_t j1, int64_t p0,
                      int64_t p1) {
  using V = lab::Avx<T>;
  const T beta = p0 == 0 ? g.beta : T(1);  // later blocks add to C
  for (int64_t i = i0; i < i1; ++i) {
    const T* a = g.a + i * g.lda;
    T* c = g.c + i * g.ldc;
    int64_t j = j0;
    for (; j + V::lanes <= j1; j += V::lanes) {
      auto sum = V::zero();
      for (int64_t p = p0; p < p1; ++p) {
        sum = V::fmadd(V::broadcast(a[p]), V::load(g.b + p * g.ldb + j), sum);
      }
      lab::update(c + j, sum, g.alpha, beta);
    }
    for (; j < j1; ++j) {  // the last columns, fewer than a vector
      T sum = 0;
      for (int64_t p = p0; p < p1; ++p) sum += a[p] * g.b[p * g.ldb + j];
      lab::update(c[j], sum, g.alpha, beta);
    }
  }
}

template <class T>
static void gemm(const lab::Gemm<T>& g) {
  for (int64_t i = 0; i < g.m; i += BLOCK) {
    for (int64_t j = 0; j < g.n; j += BLOCK) {
      for (int64_t p = 0; p < g.k; p += BLOCK) {
        add_block(g, i, std::min(i + BLOCK, g.m), j, std::min(j + BLOCK, g.n), p, std::min(p + BLOCK, g.k));
      }
    }
  }
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) { gemm(g); }
LAB_GEMM_CPU(double)(const lab::Gemm<double>& g) { gemm(g); }
