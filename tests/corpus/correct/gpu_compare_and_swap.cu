// Adds in double with a loop around atomicCAS, as in the CUDA guide, and finds the largest element of a row with another one.
#include "lab/gemm.h"

__device__ double add(double* address, double value) {
  auto* bits = reinterpret_cast<unsigned long long*>(address);
  unsigned long long old = *bits, assumed;
  do {
    assumed = old;
    old = atomicCAS(bits, assumed, static_cast<unsigned long long>(
                                       __double_as_longlong(value + __longlong_as_double(static_cast<long long>(assumed)))));
  } while (assumed != old);
  return __longlong_as_double(static_cast<long long>(old));
}

__device__ void maximum(float* address, float value) {
  int* bits = reinterpret_cast<int*>(address);
  int old = *bits;
  while (value > __int_as_float(old)) {
    const int assumed = old;
    old = atomicCAS(bits, assumed, __float_as_int(value));
    if (old == assumed) break;
  }
}

__global__ void clear(lab::Gemm<float> g, double* sums) {
  for (int64_t i = blockIdx.x * int64_t{blockDim.x} + threadIdx.x; i < g.m * g.n; i += gridDim.x * int64_t{blockDim.x}) sums[i] = 0;
}

// Each block adds some of the products, scaled by the largest element of its row of A.
__global__ void partial(lab::Gemm<float> g, double* sums) {
  __shared__ float largest;
  const int64_t row = blockIdx.y;
  if (threadIdx.x == 0) largest = 1;
  __syncthreads();
  for (int64_t p = threadIdx.x; p < g.k; p += blockDim.x) maximum(&largest, fabsf(g.a[row * g.lda + p]));
  __syncthreads();
  const double scale = exp2f(ceilf(log2f(largest)));  // a power of two, so that nothing is rounded
  for (int64_t p = blockIdx.x * int64_t{blockDim.x} + threadIdx.x; p < g.k; p += gridDim.x * int64_t{blockDim.x})
    for (int64_t col = 0; col < g.n; ++col)
      add(&sums[row * g.n + col], g.a[row * g.lda + p] / scale * g.b[p * g.ldb + col] * scale);
}

__global__ void total(lab::Gemm<float> g, const double* sums) {
  const int64_t col = blockIdx.x * int64_t{blockDim.x} + threadIdx.x, row = blockIdx.y;
  if (col < g.n) lab::update(g.c[row * g.ldc + col], static_cast<float>(sums[row * g.n + col]), g.alpha, g.beta);
}

LAB_GEMM_WORKSPACE(float)(const lab::Gemm<float>& g) { return g.m * g.n * sizeof(double); }

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  double* sums = static_cast<double*>(g.workspace);
  const unsigned tall = static_cast<unsigned>(g.m);
  clear<<<8, 64, 0, stream>>>(g, sums);
  partial<<<dim3(2, tall), 64, 0, stream>>>(g, sums);
  total<<<dim3(static_cast<unsigned>((g.n + 63) / 64), tall), 64, 0, stream>>>(g, sums);
}
