// A warp per element of C scans its sums in shared memory: __syncwarp() lies between a lane's read and its neighbour's write.
#include "lab/gemm.h"

template <class T>
__global__ void gemm(lab::Gemm<T> g) {
  __shared__ T sums[32];
  const int64_t row = blockIdx.x % g.m, col = blockIdx.x / g.m;
  const unsigned lane = threadIdx.x;
  sums[lane] = 0;
  for (int64_t p = lane; p < g.k; p += 32) sums[lane] += g.a[row * g.lda + p] * g.b[p * g.ldb + col];
  __syncwarp();
  for (unsigned before = 1; before < 32; before *= 2) {
    const T other = lane >= before ? sums[lane - before] : 0;
    __syncwarp();
    sums[lane] += other;
    __syncwarp();
  }
  if (lane == 31) lab::update(g.c[row * g.ldc + col], sums[lane], g.alpha, g.beta);
}

template <class T>
static void launch(const lab::Gemm<T>& g, lab::Stream stream) {
  if (g.m * g.n > 10'000) throw lab::Unsupported("a warp for each element: too slow on the emulated device");
  gemm<<<g.m * g.n, 32, 0, stream>>>(g);
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) { launch(g, stream); }
LAB_GEMM_GPU(double)(const lab::Gemm<double>& g, lab::Stream stream) { launch(g, stream); }
