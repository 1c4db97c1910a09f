// Few blocks, each thread with every so many elements of C, sums in double.
#include "lab/gemm.h"

__global__ void gemm(lab::Gemm<float> g) {
  for (int64_t cell = blockIdx.x * int64_t{blockDim.x} + threadIdx.x; cell < g.m * g.n;
       cell += int64_t{gridDim.x} * blockDim.x) {
    const int64_t row = cell / g.n, col = cell % g.n;
    double sum = 0;
    for (int64_t p = 0; p < g.k; ++p) sum += double{g.a[row * g.lda + p]} * double{g.b[p * g.ldb + col]};
    lab::update(g.c[row * g.ldc + col], static_cast<float>(sum), g.alpha, g.beta);
  }
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) { gemm<<<63, 96, 0, stream>>>(g); }
