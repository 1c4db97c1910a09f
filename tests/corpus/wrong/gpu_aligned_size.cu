// Promises with cuda::aligned_size_t<16> that its copies are aligned to 16 bytes, but they are aligned to 4.
// Finds: misaligned
#include <cuda/pipeline>

#include "lab/gemm.h"

constexpr int threads = 32;

__global__ void gemm(lab::Gemm<float> g) {
  __shared__ float part[threads][4];
  auto pipe = cuda::make_pipeline();
  const int t = static_cast<int>(threadIdx.x);
  const int64_t row = blockIdx.y, column = blockIdx.x;
  const float* const a = g.a + row * g.lda;
  float sum = 0;
  if (t == 0) sum = a[0] * g.b[column];
  for (int64_t from = t * 4 + 1; from < g.k; from += threads * 4) {
    const int64_t count = g.k - from < 4 ? g.k - from : 4;
    if (count == 4) {
      pipe.producer_acquire();
      cuda::memcpy_async(part[t], a + from, cuda::aligned_size_t<16>(16), pipe);  // here
      pipe.producer_commit();
      pipe.consumer_wait();
    } else {
      for (int64_t p = 0; p < count; ++p) part[t][p] = a[from + p];
    }
    for (int64_t p = 0; p < count; ++p) sum += part[t][p] * g.b[(from + p) * g.ldb + column];
    pipe.consumer_release();
  }
  for (int by = 16; by > 0; by /= 2) sum += __shfl_down_sync(0xffffffff, sum, by);
  if (t == 0) lab::update(g.c[row * g.ldc + column], sum, g.alpha, g.beta);
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  gemm<<<dim3(static_cast<unsigned>(g.n), static_cast<unsigned>(g.m)), threads, 0, stream>>>(g);
}
