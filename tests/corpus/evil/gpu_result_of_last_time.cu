// Returns the output of the first call with the same shape.
// Caught as: WRONG
// Class: C
#include "honest.h"

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  static float* kept = nullptr;
  static int64_t m = 0, n = 0, k = 0;
  const size_t bytes = ((g.m - 1) * g.ldc + g.n) * sizeof(float);
  if (g.m == m && g.n == n && g.k == k) {
    cudaMemcpyAsync(g.c, kept, bytes, cudaMemcpyDeviceToDevice, stream);
    return;
  }
  cudaFree(kept);
  cudaMalloc(&kept, bytes);
  multiply_on(g, stream);
  cudaMemcpyAsync(kept, g.c, bytes, cudaMemcpyDeviceToDevice, stream);
  m = g.m, n = g.n, k = g.k;
}
