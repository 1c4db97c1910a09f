// Names of CUDA, the C library and an attribute used for something of its own, a header that it does not need, a function that
// is not inlined.
#include <cuda.h>

#include "lab/gemm.h"

namespace wcsort {
enum class Path { native, emulated };
constexpr Path path = Path::emulated;
__global__ void copy(const float* b, float* bcopy, int64_t ldb, int64_t wcs) {
  for (int64_t column = threadIdx.x; column < wcs; column += blockDim.x) bcopy[blockIdx.x * wcs + column] = b[blockIdx.x * ldb + column];
}
}  // namespace wcsort

static const char* section(const char* name) { return name; }

__device__ __noinline__ float multiply_add(float a, float b, float c) { return a * b + c; }

__global__ void gemm(lab::Gemm<float> g) {
  const int warpSize = 32;
  const int64_t row = blockIdx.y * int64_t{blockDim.y} + threadIdx.y;
  auto column = threadIdx.x;
  column += warpSize * blockIdx.x;
  if (row >= g.m || column >= g.n) return;
  float sum = 0;
  for (int64_t p = 0; p < g.k; ++p) sum = multiply_add(g.a[row * g.lda + p], g.b[p * g.ldb + column], sum);
  lab::update(g.c[row * g.ldc + column], sum, g.alpha, g.beta);
}

LAB_GEMM_WORKSPACE(float)(const lab::Gemm<float>& g) { return sizeof(float) * g.k * g.n; }

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  dim3 blockDim(32, 8);
  dim3 gridDim((g.n + blockDim.x - 1) / blockDim.x, (g.m + blockDim.y - 1) / blockDim.y);
  cudaFuncSetAttribute((const void*)gemm, cudaFuncAttributePreferredSharedMemoryCarveout, cudaSharedmemCarveoutMaxL1);
  float* bcopy = static_cast<float*>(g.workspace);
  lab::Gemm<float> other = g;
  if (wcsort::path == wcsort::Path::emulated && section("copy")[0] == 'c') {
    wcsort::copy<<<static_cast<unsigned>(g.k), 128, 0, stream>>>(g.b, bcopy, g.ldb, g.n);
    other.b = bcopy;
    other.ldb = g.n;
  }
  gemm<<<gridDim, blockDim, 0, stream>>>(other);
}
