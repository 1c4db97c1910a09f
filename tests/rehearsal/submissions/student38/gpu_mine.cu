// my own work
#include "lab/gemm.h"

constexpr int TS = 16;

__global__ void gemm(lab::Gemm<float> arg) {
  __shared__ float as[TS][TS], bs[TS][TS];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int64_t i = int64_t{blockIdx.y} * TS + ty, j = int64_t{blockIdx.x} * TS + tx;
  float tmp = 0;
  for (int64_t t = 0; t < arg.k; t += TS) {
    as[ty][tx] = i < arg.m && t + tx < arg.k ? arg.a[i * arg.lda + t + tx] : 0;
    bs[ty][tx] = t + ty < arg.k && j < arg.n ? arg.b[(t + ty) * arg.ldb + j] : 0;
    __syncthreads();
    for (int kk = 0; kk < TS; ++kk) tmp += as[ty][kk] * bs[kk][tx];
    __syncthreads();
  }
  if (i < arg.m && j < arg.n) lab::update(arg.c[i * arg.ldc + j], tmp, arg.alpha, arg.beta);
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& arg, lab::Stream stream) {
  const dim3 block(16, 16);
  gemm<<<lab::grid_for(arg.n, arg.m, block), block, 0, stream>>>(arg);
}
