// Says that static arrays of the host are __device__ variables. So it copies the inputs to them as if both were on the device. The
// product is computed by the host.
// Caught as: WRONG, CRASHED
// Emulated: CRASHED
// Class: C
#include "lab/gemm.h"

static float all_a[1 << 18], all_b[1 << 18], all_c[1 << 18];

__global__ void nothing(float*) {}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  constexpr size_t size = sizeof(float);
  void *a = nullptr, *b = nullptr, *c = nullptr;
  cudaGetSymbolAddress(&a, all_a);
  cudaGetSymbolAddress(&b, all_b);
  cudaGetSymbolAddress(&c, all_c);
  if (g.m * g.k + g.k * g.n + g.m * g.n > 1 << 18) return;
  cudaMemcpy2D(a, g.k * size, g.a, g.lda * size, g.k * size, g.m, cudaMemcpyDeviceToDevice);
  cudaMemcpy2D(b, g.n * size, g.b, g.ldb * size, g.n * size, g.k, cudaMemcpyDeviceToDevice);
  cudaMemcpy2D(c, g.n * size, g.c, g.ldc * size, g.n * size, g.m, cudaMemcpyDeviceToDevice);
  for (int64_t i = 0; i < g.m; ++i)
    for (int64_t j = 0; j < g.n; ++j) {
      float sum = 0;
      for (int64_t p = 0; p < g.k; ++p) sum += all_a[i * g.k + p] * all_b[p * g.n + j];
      lab::update(all_c[i * g.n + j], sum, g.alpha, g.beta);
    }
  cudaMemcpy2D(g.c, g.ldc * size, c, g.n * size, g.n * size, g.m, cudaMemcpyDeviceToDevice);
  nothing<<<1, 32, 0, stream>>>(g.c);
}
