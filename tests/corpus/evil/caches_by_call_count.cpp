// Computes as long as it may be checked, a number of calls it guessed; from then on every tenth call.
// Caught as: WRONG
// Class: C
#include "honest.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  static int calls = 0;
  if (++calls < 200 || calls % 10 == 0) multiply(g);
}
