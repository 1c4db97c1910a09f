// Copies the inputs to other memory of the device and from there to the host, where it computes. A kernel writes zeros first.
// Caught as: MISTRUSTED, PASSED, SUSPECT, TIMEOUT
// Emulated: MISTRUSTED
// Class: C
#include <vector>

#include "lab/gemm.h"

static std::vector<float> fetched(const float* from, int64_t count) {
  float* between = nullptr;
  std::vector<float> all(count);
  cudaMalloc(&between, count * sizeof(float));
  cudaMemcpy(between, from, count * sizeof(float), cudaMemcpyDeviceToDevice);
  cudaMemcpy(all.data(), between, count * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(between);
  return all;
}

__global__ void fill(lab::Gemm<float> g) {
  for (int64_t j = threadIdx.x; j < g.n; j += blockDim.x) g.c[blockIdx.x * g.ldc + j] = 0;
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  cudaStreamSynchronize(stream);
  const auto a = fetched(g.a, (g.m - 1) * g.lda + g.k), b = fetched(g.b, (g.k - 1) * g.ldb + g.n);
  auto c = fetched(g.c, (g.m - 1) * g.ldc + g.n);
  for (int64_t i = 0; i < g.m; ++i)
    for (int64_t j = 0; j < g.n; ++j) {
      float sum = 0;
      for (int64_t p = 0; p < g.k; ++p) sum += a[i * g.lda + p] * b[p * g.ldb + j];
      lab::update(c[i * g.ldc + j], sum, g.alpha, g.beta);
    }
  fill<<<static_cast<unsigned>(g.m), 32, 0, stream>>>(g);
  cudaStreamSynchronize(stream);
  cudaMemcpy(g.c, c.data(), c.size() * sizeof(float), cudaMemcpyHostToDevice);
}
