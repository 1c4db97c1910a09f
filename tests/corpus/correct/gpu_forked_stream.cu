// Works on a stream of its own that begins after the given one, which then waits for it.
#include "lab/gemm.h"

__global__ void gemm(lab::Gemm<float> g) {
  const int64_t row = blockIdx.y * int64_t{blockDim.y} + threadIdx.y, column = blockIdx.x * int64_t{blockDim.x} + threadIdx.x;
  if (row >= g.m || column >= g.n) return;
  float sum = 0;
  for (int64_t p = 0; p < g.k; ++p) sum += g.a[row * g.lda + p] * g.b[p * g.ldb + column];
  lab::update(g.c[row * g.ldc + column], sum, g.alpha, g.beta);
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  struct Side {
    cudaStream_t stream;
    cudaEvent_t begin, end;
  };
  static const Side side = [] {
    Side made;
    cudaStreamCreateWithFlags(&made.stream, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&made.begin, cudaEventDisableTiming);
    cudaEventCreateWithFlags(&made.end, cudaEventDisableTiming);
    return made;
  }();
  const dim3 block(16, 16);
  cudaEventRecord(side.begin, stream);
  cudaStreamWaitEvent(side.stream, side.begin, 0);
  gemm<<<lab::grid_for(g.n, g.m, block), block, 0, side.stream>>>(g);
  cudaEventRecord(side.end, side.stream);
  cudaStreamWaitEvent(stream, side.end, 0);
}
