// tiled
#include "lab/gemm.h"

constexpr int TS = 16;

__global__ void gemm(lab::Gemm<float> g) {
  __shared__ float as[TS][TS], bs[TS][TS];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int64_t i = int64_t{blockIdx.y} * TS + ty, j = int64_t{blockIdx.x} * TS + tx;
  float sum = 0;
  for (int64_t t = 0; t < g.k; t += TS) {
    as[ty][tx] = i < g.m && t + tx < g.k ? g.a[i * g.lda + t + tx] : 0;
    bs[ty][tx] = t + ty < g.k && j < g.n ? g.b[(t + ty) * g.ldb + j] : 0;
    __syncthreads();
    for (int p = 0; p < TS; ++p) sum += as[ty][p] * bs[tx][p];
    __syncthreads();
  }
  if (i < g.m && j < g.n) lab::update(g.c[i * g.ldc + j], sum, g.alpha, g.beta);
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  const dim3 block(16, 16);
  gemm<<<lab::grid_for(g.n, g.m, block), block, 0, stream>>>(g);
}
