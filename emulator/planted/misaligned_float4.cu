// Four elements at once from a row that does not begin at a multiple of four.
// Finds: misaligned
#include "lab/gemm.h"

#ifndef BLOCK
#define BLOCK 16
#endif

__global__ void gemm(lab::Gemm<float> g) {
  const int col = blockIdx.x * BLOCK + threadIdx.x, row = blockIdx.y * BLOCK + threadIdx.y;
  if (row >= g.m || col >= g.n) return;
  float sum = 0;
  int p = 0;
  for (; p + 4 <= g.k; p += 4) {
    const float4 left = *reinterpret_cast<const float4*>(&g.a[row * g.lda + p]);  // here
    sum += left.x * g.b[p * g.ldb + col] + left.y * g.b[(p + 1) * g.ldb + col];
    sum += left.z * g.b[(p + 2) * g.ldb + col] + left.w * g.b[(p + 3) * g.ldb + col];
  }
  for (; p < g.k; ++p) sum += g.a[row * g.lda + p] * g.b[p * g.ldb + col];
  lab::update(g.c[row * g.ldc + col], sum, g.alpha, g.beta);
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  const dim3 block(BLOCK, BLOCK);
  gemm<<<lab::grid_for(g.n, g.m, block), block, 0, stream>>>(g);
}
