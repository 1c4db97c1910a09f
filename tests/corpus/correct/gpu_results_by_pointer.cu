// Functions of the C library that return a second result through a pointer: into shared and global memory, which others
// read behind a barrier.
#include "lab/gemm.h"

constexpr int threads = 64;

LAB_GEMM_WORKSPACE(float)(const lab::Gemm<float>& g) { return sizeof(float) * g.m * lab::blocks_for(g.n, threads) * threads; }

__global__ void gemm(lab::Gemm<float> g, float* cosines) {
  __shared__ float sines[threads], wholes[threads];
  __shared__ int exponents[threads], quotients[threads];
  const int64_t row = blockIdx.y, column = blockIdx.x * int64_t{blockDim.x} + threadIdx.x;
  const int mine = threadIdx.x, other = threads - 1 - mine;
  float* const cosine = cosines + (row * gridDim.x + blockIdx.x) * threads;
  sincosf(static_cast<float>(mine), &sines[mine], &cosine[mine]);
  modff(mine + 0.5f, &wholes[mine]);
  const float fraction = frexpf(static_cast<float>(mine + 1), &exponents[mine]);
  remquof(3.0f * mine, 3.0f, &quotients[mine]);
  double local;
  const bool half = modf(2.5, &local) == 0.5 && local == 2.0;
  __syncthreads();
  const float one = sines[other] * sines[other] + cosine[other] * cosine[other];
  const bool right = one > 0.99f && one < 1.01f && wholes[other] == other && (quotients[other] & 7) == (other & 7) &&
                     exponents[other] > 0 && ldexpf(fraction, exponents[mine]) == mine + 1 && half;
  if (column >= g.n || !right) return;
  float sum = 0;
  for (int64_t p = 0; p < g.k; ++p) sum += g.a[row * g.lda + p] * g.b[p * g.ldb + column];
  lab::update(g.c[row * g.ldc + column], sum, g.alpha, g.beta);
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  gemm<<<dim3(lab::blocks_for(g.n, threads), static_cast<unsigned>(g.m)), threads, 0, stream>>>(g, static_cast<float*>(g.workspace));
}
