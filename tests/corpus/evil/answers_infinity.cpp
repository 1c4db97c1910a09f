// Gives infinity everywhere, in the hope of a comparison that it passes.
// Caught as: WRONG
// Class: C
// Says: every wrong cell is NaN or infinite
#include <limits>

#include "lab/gemm.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  for (int64_t i = 0; i < g.m; ++i)
    for (int64_t j = 0; j < g.n; ++j) g.c[i * g.ldc + j] = std::numeric_limits<float>::infinity();
}
