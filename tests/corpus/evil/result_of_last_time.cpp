// Writes nothing, in the hope that C still holds the result of another variant.
// Caught as: WRONG
// Class: E
// Says: was it written, or is C read, whose old values do not count here?
#include <cmath>

#include "honest.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  for (int64_t i = 0; i < g.m; ++i)
    if (!std::isnan(g.c[i * g.ldc])) return multiply(g);
}
