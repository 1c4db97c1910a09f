// Prints for ever.
// Caught as: CRASHED
// Class: F
// Says: on m=1 n=1 k=1: it printed more than 16 MiB and was stopped
#include <cstdio>

#include "lab/gemm.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  for (int64_t i = 0; i >= 0; i = (i + 1) % (1 << 20))
    std::printf("element %lld of %4000lld\n", static_cast<long long>(i), static_cast<long long>(g.m));
}
