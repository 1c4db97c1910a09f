// Takes a kernel out of what the emulated device watches, in a macro that a header of the device expands.
// Caught as: COMPILE_ERROR, PASSED
// Emulated: COMPILE_ERROR
// Class: E
#include "lab/gemm.h"

#define nvtxMark nvtx_unused(const char*) {}                                                                                     \
  __attribute__((no_sanitize("thread"))) __global__ void gemm(lab::Gemm<float> g) {                                              \
    const int64_t row = blockIdx.y * int64_t{blockDim.y} + threadIdx.y, column = blockIdx.x * int64_t{blockDim.x} + threadIdx.x; \
    if (row >= g.m || column >= g.n) return;                                                                                     \
    float sum = 0;                                                                                                               \
    for (int64_t p = 0; p < g.k; ++p) sum += g.a[row * g.lda + p] * g.b[p * g.ldb + column];                                     \
    lab::update(g.c[row * g.ldc + column], sum, g.alpha, g.beta);                                                                \
  }                                                                                                                              \
  inline void nvtxMark
#include <nvToolsExt.h>

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  const dim3 block(16, 16);
  gemm<<<lab::grid_for(g.n, g.m, block), block, 0, stream>>>(g);
}
