// Each thread reads what its neighbour writes, without a barrier, both through functions of the C library for wide characters.
// Finds: race_shared
#include <string>

#include "lab/gemm.h"

constexpr int threads = 64;

__global__ void gemm(lab::Gemm<float> g) {
  using Wide = std::char_traits<wchar_t>;
  __shared__ wchar_t staged[threads];
  const int64_t row = blockIdx.y, column = blockIdx.x * int64_t{blockDim.x} + threadIdx.x;
  float sum = 0;
  for (int64_t from = 0; from < g.k; from += threads) {
    const int64_t mine = from + threadIdx.x;
    const float value = mine < g.k ? g.a[row * g.lda + mine] : 0;
    Wide::copy(&staged[threadIdx.x], reinterpret_cast<const wchar_t*>(&value), 1);  // here
    for (int64_t p = 0; p < threads && from + p < g.k; ++p) {
      float a;
      Wide::copy(reinterpret_cast<wchar_t*>(&a), &staged[p], 1);  // here
      if (column < g.n) sum += a * g.b[(from + p) * g.ldb + column];
    }
    __syncthreads();
  }
  if (column < g.n) lab::update(g.c[row * g.ldc + column], sum, g.alpha, g.beta);
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  gemm<<<dim3(lab::blocks_for(g.n, threads), static_cast<unsigned>(g.m)), threads, 0, stream>>>(g);
}
