// Launches nothing where the pointers are those of the last call.
// Caught as: WRONG, SUSPECT
// Class: C
#include "honest.h"

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  static const float *a = nullptr, *c = nullptr;
  if (g.a == a && g.c == c && g.beta == 0) return;
  a = g.a, c = g.c;
  multiply_on(g, stream);
}
