// gpu_naive with UNROLL steps of the sum written out: first all their loads, then all their multiply-adds.
//
// Compared with gpu_naive: up to 2 * UNROLL loads can run at the same time, where the simple loop waits
// for each pair (the compiler decides how many, depending on the registers). And the loop counter is
// updated and compared once per UNROLL steps.
//
// Little is left to gain: nvcc unrolls the loop of gpu_naive too, and a GPU runs other warps while one
// waits. UNROLL=1 shows the loop without either.
//
// What limits it: the same as gpu_naive, two loads per multiply-add. They overlap better, but there are as
// many.
//
// Drawing:
//   product
//   rows = BLOCK; columns = BLOCK; threads = BLOCK * BLOCK
//   row = t / BLOCK; column = t % BLOCK
//   A thread loads the numbers of UNROLL steps before it multiplies them.
#include "lab/gemm.h"

#ifndef BLOCK
#define BLOCK 16
#endif
#ifndef UNROLL
#define UNROLL 8
#endif
constexpr int threads_a_block = BLOCK * BLOCK;
static_assert(threads_a_block <= 1024, "a thread block holds at most 1024 threads: BLOCK is 32 at most");
static_assert(UNROLL >= 1 && UNROLL <= 64, "UNROLL steps keep 2 * UNROLL numbers in registers: 64 at most");

/// Index: int if the matrices are small enough, otherwise int64_t.
template <class Index, class T>
__global__ void __launch_bounds__(threads_a_block) gemm(lab::Gemm<T> g) {
  const Index k = g.k, ldb = g.ldb;
  const int64_t col = int64_t{blockIdx.x} * BLOCK + threadIdx.x;
  if (col >= g.n) return;
  // Runs once, unless C has more rows than the grid has threads along y.
  for (int64_t row = int64_t{blockIdx.y} * BLOCK + threadIdx.y; row < g.m;
       row += int64_t{gridDim.y} * BLOCK) {
    const T* a = g.a + row * g.lda;
    const T* b = g.b + col;
    T sum = 0;
    Index p = 0;
#pragma unroll 1
    for (; p + UNROLL <= k; p += UNROLL) {
      T x[UNROLL], y[UNROLL];
#pragma unroll
      for (int u = 0; u < UNROLL; ++u) {
        x[u] = a[p + u];
        y[u] = b[(p + u) * ldb];
      }
#pragma unroll
      for (int u = 0; u < UNROLL; ++u) sum += x[u] * y[u];
    }
#pragma unroll 1
    for (; p < k; ++p) sum += a[p] * b[p * ldb];  // the remaining steps
    lab::update(g.c[row * g.ldc + col], sum, g.alpha, g.beta);
  }
}

template <class T>
static void launch(const lab::Gemm<T>& g, lab::Stream stream) {
  const dim3 block(BLOCK, BLOCK);
  const dim3 grid = lab::grid_for(g.n, g.m, block);
  if (lab::counts_in_32_bits(g))
    gemm<int><<<grid, block, 0, stream>>>(g);
  else
    gemm<int64_t><<<grid, block, 0, stream>>>(g);
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) { launch(g, stream); }
LAB_GEMM_GPU(double)(const lab::Gemm<double>& g, lab::Stream stream) { launch(g, stream); }
