// A template that needs a larger one of itself, for ever.
// Caught as: COMPILE_ERROR
// Class: F
// Says: template instantiation depth exceeds maximum of 900
#include "honest.h"

template <int n>
int deeper() {
  return deeper<n + 1>() + 1;
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  multiply(g);
  g.c[0] += static_cast<float>(deeper<0>());
}
