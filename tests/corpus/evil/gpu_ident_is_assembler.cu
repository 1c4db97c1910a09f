// Puts assembler text into an #ident, which g++ copies as it is. Such code could read the inputs where nobody watches.
// Caught as: COMPILE_ERROR, PASSED
// Emulated: COMPILE_ERROR
// Class: E
#include "lab/gemm.h"

#ident "x\"\n.globl copy_unseen\ncopy_unseen: mov %rdx, %rcx\nrep movsb\nret\n.ident \"y"

__global__ void gemm(lab::Gemm<float> g) {
  const int64_t row = blockIdx.y * int64_t{blockDim.y} + threadIdx.y, column = blockIdx.x * int64_t{blockDim.x} + threadIdx.x;
  if (row >= g.m || column >= g.n) return;
  float sum = 0;
  for (int64_t p = 0; p < g.k; ++p) sum += g.a[row * g.lda + p] * g.b[p * g.ldb + column];
  lab::update(g.c[row * g.ldc + column], sum, g.alpha, g.beta);
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  const dim3 block(16, 16);
  gemm<<<lab::grid_for(g.n, g.m, block), block, 0, stream>>>(g);
}
