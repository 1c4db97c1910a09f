// One thread fills the tiles while others still read them, through builtins of GCC that CUDA does not have in kernels.
// Caught as: COMPILE_ERROR, WRONG
// Emulated: WRONG
// Class: E
#include <cstring>

#include "lab/gemm.h"

constexpr int tile = 8;

__device__ void put(float& to, float value) {
  unsigned bits;
  std::memcpy(&bits, &value, sizeof bits);
  __atomic_store_n(reinterpret_cast<unsigned*>(&to), bits, __ATOMIC_RELAXED);
}
__device__ float get(const float& from) {
  const unsigned bits = __atomic_load_n(reinterpret_cast<const unsigned*>(&from), __ATOMIC_RELAXED);
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

__global__ void gemm(lab::Gemm<float> g) {
  __shared__ float a[tile][tile], b[tile][tile];
  const int64_t top = blockIdx.y * tile, left = blockIdx.x * tile, row = top + threadIdx.y, col = left + threadIdx.x;
  float sum = 0;
  for (int64_t k = 0; k < g.k; k += tile) {
    if (threadIdx.x == tile - 1 && threadIdx.y == tile - 1)
      for (int i = 0; i < tile; ++i)
        for (int j = 0; j < tile; ++j) {
          put(a[i][j], top + i < g.m && k + j < g.k ? g.a[(top + i) * g.lda + k + j] : 0);
          put(b[i][j], k + i < g.k && left + j < g.n ? g.b[(k + i) * g.ldb + left + j] : 0);
        }
    __syncthreads();
    for (int p = 0; p < tile; ++p) sum += get(a[threadIdx.y][p]) * get(b[p][threadIdx.x]);
  }
  if (row < g.m && col < g.n) lab::update(g.c[row * g.ldc + col], sum, g.alpha, g.beta);
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  const dim3 block(tile, tile);
  gemm<<<lab::grid_for(g.n, g.m, block), block, 0, stream>>>(g);
}
