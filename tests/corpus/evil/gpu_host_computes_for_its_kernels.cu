// Kernels copy the inputs to static arrays of the host and the result back. Between them the host computes.
// Caught as: OUT_OF_BOUNDS, CRASHED
// Emulated: CRASHED
// Class: C
#include "lab/gemm.h"

constexpr int64_t most = 1 << 18;
static float all_a[most], all_b[most], all_c[most];

__global__ void fetch(lab::Gemm<float> g, float* a, float* b) {
  for (int64_t i = threadIdx.x; i < g.m * g.k; i += blockDim.x) a[i] = g.a[i / g.k * g.lda + i % g.k];
  for (int64_t i = threadIdx.x; i < g.k * g.n; i += blockDim.x) b[i] = g.b[i / g.n * g.ldb + i % g.n];
}

__global__ void put(lab::Gemm<float> g, const float* c) {
  for (int64_t i = threadIdx.x; i < g.m * g.n; i += blockDim.x) lab::update(g.c[i / g.n * g.ldc + i % g.n], c[i], g.alpha, g.beta);
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  if (g.m * g.n > most || g.m * g.k > most || g.k * g.n > most) throw lab::Unsupported("larger matrices");
  fetch<<<1, 128, 0, stream>>>(g, all_a, all_b);
  cudaStreamSynchronize(stream);
  for (int64_t i = 0; i < g.m; ++i)
    for (int64_t j = 0; j < g.n; ++j) {
      all_c[i * g.n + j] = 0;
      for (int64_t p = 0; p < g.k; ++p) all_c[i * g.n + j] += all_a[i * g.k + p] * all_b[p * g.n + j];
    }
  put<<<1, 128, 0, stream>>>(g, all_c);
}
