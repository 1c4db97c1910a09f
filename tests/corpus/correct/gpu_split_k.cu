// Two kernels: partial sums of four pieces of k in the work space, then their sum.
#include "lab/gemm.h"

constexpr int pieces = 4;

__global__ void partial(lab::Gemm<float> g, float* sums) {
  const int64_t col = blockIdx.x * int64_t{blockDim.x} + threadIdx.x, row = blockIdx.y;
  const int piece = blockIdx.z;
  if (col >= g.n) return;
  float sum = 0;
  for (int64_t p = g.k * piece / pieces; p < g.k * (piece + 1) / pieces; ++p)
    sum += g.a[row * g.lda + p] * g.b[p * g.ldb + col];
  sums[(piece * g.m + row) * g.n + col] = sum;
}

__global__ void total(lab::Gemm<float> g, const float* sums) {
  const int64_t col = blockIdx.x * int64_t{blockDim.x} + threadIdx.x, row = blockIdx.y;
  if (col >= g.n) return;
  float sum = 0;
  for (int piece = 0; piece < pieces; ++piece) sum += sums[(piece * g.m + row) * g.n + col];
  lab::update(g.c[row * g.ldc + col], sum, g.alpha, g.beta);
}

LAB_GEMM_WORKSPACE(float)(const lab::Gemm<float>& g) { return pieces * g.m * g.n * sizeof(float); }

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  float* sums = static_cast<float*>(g.workspace);
  const unsigned wide = static_cast<unsigned>((g.n + 63) / 64), tall = static_cast<unsigned>(g.m);
  partial<<<dim3(wide, tall, pieces), 64, 0, stream>>>(g, sums);
  total<<<dim3(wide, tall), 64, 0, stream>>>(g, sums);
}
