// cpu_avx_blocked with a transposed copy of B. In f32 this is slower; the file is kept to show why.
//
// The idea: the scalar loops walk down a column of B, and in the transposed copy this column is a row. But
// the vectors of this ladder hold 8 neighbouring columns of B. In the copy these are k elements apart, so
// one load of 8 numbers becomes 8 loads and the work of combining them (the gather instruction of AVX2
// does the same inside).
//
// The copy itself is cheap: n * k moves for m * n * k multiply-adds. In f64 only 4 numbers are combined,
// and if ldb is a power of two this can be faster than cpu_avx_blocked with its cache conflicts.
//
// A transposed B is useful for vectors along p: load 8 numbers of A and 8 of B, and add up the 8 lanes at
// the end of each sum.
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

/// bt[j * g.k + p] = B(p, j)
template <class T>
static void transpose(const lab::Gemm<T>& g, T* bt) {
  for (int64_t j0 = 0; j0 < g.n; j0 += BLOCK) {
    for (int64_t p = 0; p < g.k; ++p) {
      for (int64_t j = j0; j < std::min(j0 + BLOCK, g.n); ++j) bt[j * g.k + p] = g.b[p * g.ldb + j];
    }
  }
}

template <class T>
static void add_block(const lab::Gemm<T>& g, const T* bt, int64_t i0, int64_t i1, int64_t j0, int64_t j1,
                      int64_t p0, int64_t p1) {
  using V = lab::Avx<T>;
  const T beta = p0 == 0 ? g.beta : T(1);
  for (int64_t i = i0; i < i1; ++i) {
    const T* a = g.a + i * g.lda;
    T* c = g.c + i * g.ldc;
    int64_t j = j0;
    for (; j + V::lanes <= j1; j += V::lanes) {
      auto sum = V::zero();
      for (int64_t p = p0; p < p1; ++p) {
        sum = V::fmadd(V::broadcast(a[p]), V::gather(bt + j * g.k + p, g.k), sum);
      }
      lab::update(c + j, sum, g.alpha, beta);
    }
    for (; j < j1; ++j) {  // the last columns, fewer than a vector
      T sum = 0;
      for (int64_t p = p0; p < p1; ++p) sum += a[p] * bt[j * g.k + p];
      lab::update(c[j], sum, g.alpha, beta);
    }
  }
}

template <class T>
static void gemm(const lab::Gemm<T>& g) {
  T* bt = static_cast<T*>(g.workspace);
  transpose(g, bt);
  for (int64_t i = 0; i < g.m; i += BLOCK) {
    for (int64_t j = 0; j < g.n; j += BLOCK) {
      for (int64_t p = 0; p < g.k; p += BLOCK) {
        add_block(g, bt, i, std::min(i + BLOCK, g.m), j, std::min(j + BLOCK, g.n), p,
                  std::min(p + BLOCK, g.k));
      }
    }
  }
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) { gemm(g); }
LAB_GEMM_CPU(double)(const lab::Gemm<double>& g) { gemm(g); }
LAB_GEMM_WORKSPACE(float)(const lab::Gemm<float>& g) { return g.n * g.k * sizeof(float); }
LAB_GEMM_WORKSPACE(double)(const lab::Gemm<double>& g) { return g.n * g.k * sizeof(double); }
