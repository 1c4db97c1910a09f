// Computes on the host and starts no kernel: inputs and result pass through copies on the device, one through a variable, one
// through managed memory.
// Caught as: MISTRUSTED, PASSED, SUSPECT, TIMEOUT
// Emulated: MISTRUSTED
// Class: C
#include <vector>

#include "lab/gemm.h"

__device__ float variable[1 << 20];

LAB_GEMM_WORKSPACE(float)(const lab::Gemm<float>& g) { return g.m * g.ldc * sizeof(float); }

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  cudaStreamSynchronize(stream);
  const size_t na = (g.m - 1) * g.lda + g.k, nb = (g.k - 1) * g.ldb + g.n, nc = (g.m - 1) * g.ldc + g.n;
  if (na > sizeof variable / sizeof(float)) throw lab::Unsupported("too large for its variable");
  std::vector<float> a(na), c(nc);
  cudaMemcpyToSymbol(variable, g.a, na * sizeof(float), 0, cudaMemcpyDeviceToDevice);
  cudaMemcpyFromSymbol(a.data(), variable, na * sizeof(float));
  float* b = nullptr;
  cudaMallocManaged(&b, nb * sizeof(float));
  cudaMemcpy(b, g.b, nb * sizeof(float), cudaMemcpyDeviceToDevice);
  cudaDeviceSynchronize();
  if (g.beta != 0) cudaMemcpy(c.data(), g.c, nc * sizeof(float), cudaMemcpyDeviceToHost);
  for (int64_t i = 0; i < g.m; ++i)
    for (int64_t j = 0; j < g.n; ++j) {
      float sum = 0;
      for (int64_t p = 0; p < g.k; ++p) sum += a[i * g.lda + p] * b[p * g.ldb + j];
      lab::update(c[i * g.ldc + j], sum, g.alpha, g.beta);
    }
  cudaMemcpy(g.workspace, c.data(), nc * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy2D(g.c, g.ldc * sizeof(float), g.workspace, g.ldc * sizeof(float), g.n * sizeof(float), g.m, cudaMemcpyDeviceToDevice);
  cudaFree(b);
}
