// Each block writes its number to the same element and calls __threadfence(): the last block in time decides, not the last
// number.
// Caught as: WRONG
#include "lab/gemm.h"

constexpr int threads = 64;

__global__ void write_number(float* last) {
  if (threadIdx.x == 0) *last = static_cast<float>(blockIdx.x);
  __threadfence();
}

__global__ void gemm(lab::Gemm<float> g, const float* last) {
  const int64_t row = blockIdx.y, col = blockIdx.x * int64_t{blockDim.x} + threadIdx.x;
  if (col >= g.n) return;
  float sum = 0;
  for (int64_t p = 0; p < g.k; ++p) sum += g.a[row * g.lda + p] * g.b[p * g.ldb + col];
  lab::update(g.c[row * g.ldc + col], *last == 3 ? sum : 0, g.alpha, g.beta);
}

LAB_GEMM_WORKSPACE(float)(const lab::Gemm<float>&) { return sizeof(float); }

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  float* const last = static_cast<float*>(g.workspace);
  write_number<<<4, 32, 0, stream>>>(last);
  gemm<<<dim3(lab::blocks_for(g.n, threads), static_cast<unsigned>(g.m)), threads, 0, stream>>>(g, last);
}
