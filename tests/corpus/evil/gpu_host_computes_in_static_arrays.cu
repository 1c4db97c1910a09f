// Copies the inputs into static arrays of the host, computes there, and copies the result to the device.
// Caught as: MISTRUSTED, PASSED, SUSPECT, TIMEOUT
// Emulated: MISTRUSTED
// Class: C
#include <vector>

#include "lab/gemm.h"

static float a[1 << 22], b[1 << 22];

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream) {
  constexpr size_t word = sizeof(float);
  if (g.m * g.k > 1 << 22 || g.k * g.n > 1 << 22) throw lab::Unsupported("large matrices");
  std::vector<float> c(g.m * g.n);
  cudaMemcpy2D(a, g.k * word, g.a, g.lda * word, g.k * word, g.m, cudaMemcpyDeviceToHost);
  cudaMemcpy2D(b, g.n * word, g.b, g.ldb * word, g.n * word, g.k, cudaMemcpyDeviceToHost);
  cudaMemcpy2D(c.data(), g.n * word, g.c, g.ldc * word, g.n * word, g.m, cudaMemcpyDeviceToHost);
  for (int64_t i = 0; i < g.m; ++i)
    for (int64_t j = 0; j < g.n; ++j) {
      float sum = 0;
      for (int64_t p = 0; p < g.k; ++p) sum += a[i * g.k + p] * b[p * g.n + j];
      lab::update(c[i * g.n + j], sum, g.alpha, g.beta);
    }
  cudaMemcpy2D(g.c, g.ldc * word, c.data(), g.n * word, g.n * word, g.m, cudaMemcpyHostToDevice);
}
