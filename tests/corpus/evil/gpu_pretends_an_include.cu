// Says that its kernel is a header of the system which it includes, behind what looks like the start of a comment.
// Caught as: COMPILE_ERROR, PASSED
// Emulated: COMPILE_ERROR
// Class: E
#include "lab/gemm.h"

#if __has_include(</*>)
#endif
# 1 "/usr/include/kernel.h" 1 3
__attribute__((no_sanitize("thread"))) __global__ void gemm(lab::Gemm<float> g) {
  const int64_t row = blockIdx.y * int64_t{blockDim.y} + threadIdx.y, column = blockIdx.x * int64_t{blockDim.x} + threadIdx.x;
  if (row >= g.m || column >= g.n) return;
  float sum = 0;
  for (int64_t p = 0; p < g.k; ++p) sum += g.a[row * g.lda + p] * g.b[p * g.ldb + column];
  lab::update(g.c[row * g.ldc + column], sum, g.alpha, g.beta);
}
# 19 "gpu_pretends_an_include.cu" 2
// */

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  const dim3 block(16, 16);
  gemm<<<lab::grid_for(g.n, g.m, block), block, 0, stream>>>(g);
}
