// all on the device
#include "lab/gemm.h"

__global__ void gemm(const lab::Gemm<float>* g) {
  const int64_t j = int64_t{blockIdx.x} * 16 + threadIdx.x, i = int64_t{blockIdx.y} * 16 + threadIdx.y;
  if (i >= g->m || j >= g->n) return;
  float sum = 0;
  for (int64_t p = 0; p < g->k; ++p) sum += g->a[i * g->lda + p] * g->b[p * g->ldb + j];
  lab::update(g->c[i * g->ldc + j], sum, g->alpha, g->beta);
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  const dim3 block(16, 16);
  gemm<<<lab::grid_for(g.n, g.m, block), block, 0, stream>>>(&g);
}
