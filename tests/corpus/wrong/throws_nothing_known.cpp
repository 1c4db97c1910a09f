// Throws a number.
// Caught as: CRASHED
// Says: the variant threw an exception
#include "lab/gemm.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  if (g.m > 0) throw 42;
}
