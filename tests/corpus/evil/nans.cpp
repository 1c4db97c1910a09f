// Sets C to what 0 / 0 gives.
// Caught as: WRONG
// Class: C
// Says: every wrong cell is NaN or infinite: is memory read that was not set, or the padding behind a row?
#include "lab/gemm.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  const float zero = static_cast<float>(g.m - g.m);
  for (int64_t i = 0; i < g.m; ++i)
    for (int64_t j = 0; j < g.n; ++j) g.c[i * g.ldc + j] = zero / zero;
}
