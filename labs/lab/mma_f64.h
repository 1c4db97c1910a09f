// The tensor cores' product in f64: a warp of 32 lanes adds a 16 x 8 times 8 x 8 product to 16 x 8 sums.
//
// Lane 4 y + x holds a[i] = A[y + 8 (i % 2)][x + 4 (i / 2)], b[i] = B[x + 4 i][y], and the sums in row y (0,
// 1) and row y + 8 (2, 3), columns 2 x and 2 x + 1 (PTX ISA, "Matrix fragments for mma.m16n8k8").
#pragma once

#include "lab/gpu.h"

namespace lab {

__device__ __forceinline__ void multiply_add(double (&above)[2], double (&below)[2], const double (&a)[4],
                                             const double (&b)[2]) {
#if !defined(LAB_EMULATED) && __CUDA_ARCH__ >= 900
  asm("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+d"(above[0]), "+d"(above[1]), "+d"(below[0]), "+d"(below[1])
      : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
#else
  // Devices before Hopper, and the emulated one: the lanes pass their elements to each other.
  const int y = threadIdx.x % 32 / 4, x = threadIdx.x % 4;
  for (int k = 0; k < 8; ++k) {
    const int step = k / 4, lane = k % 4;
    const double upper = __shfl_sync(0xffffffffu, a[2 * step], 4 * y + lane, 32);
    const double lower = __shfl_sync(0xffffffffu, a[2 * step + 1], 4 * y + lane, 32);
    const double left = __shfl_sync(0xffffffffu, b[step], 8 * x + lane, 32);
    const double right = __shfl_sync(0xffffffffu, b[step], 8 * x + 4 + lane, 32);
    above[0] += upper * left;
    above[1] += upper * right;
    below[0] += lower * left;
    below[1] += lower * right;
  }
#endif
}

}  // namespace lab
