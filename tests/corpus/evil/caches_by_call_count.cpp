// Computes as long as it may be checked, a number of calls it guessed; from then on in every tenth call.
// Caught as: WRONG
// Class: C
#include "honest.h"
#include "patience.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  static int calls = 0;
  if (still_checked(g) || ++calls % 10 == 0) multiply(g);
}
