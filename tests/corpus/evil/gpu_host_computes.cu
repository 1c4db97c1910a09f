// Copies the inputs to the host, computes there, and copies the result to the device.
// Caught as: MISTRUSTED, PASSED, SUSPECT, TIMEOUT
// Emulated: MISTRUSTED
// Class: C
#include <vector>

#include "lab/gemm.h"

static std::vector<float> fetched(const float* from, int64_t rows, int64_t columns, int64_t ld) {
  std::vector<float> all(rows * columns);
  cudaMemcpy2D(all.data(), columns * sizeof(float), from, ld * sizeof(float), columns * sizeof(float), rows,
               cudaMemcpyDeviceToHost);
  return all;
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  cudaStreamSynchronize(stream);
  const std::vector<float> a = fetched(g.a, g.m, g.k, g.lda), b = fetched(g.b, g.k, g.n, g.ldb);
  std::vector<float> c = fetched(g.c, g.m, g.n, g.ldc);
  for (int64_t i = 0; i < g.m; ++i)
    for (int64_t j = 0; j < g.n; ++j) {
      float sum = 0;
      for (int64_t p = 0; p < g.k; ++p) sum += a[i * g.k + p] * b[p * g.n + j];
      lab::update(c[i * g.n + j], sum, g.alpha, g.beta);
    }
  cudaMemcpy2D(g.c, g.ldc * sizeof(float), c.data(), g.n * sizeof(float), g.n * sizeof(float), g.m,
               cudaMemcpyHostToDevice);
}
