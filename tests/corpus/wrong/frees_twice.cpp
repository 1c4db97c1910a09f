// Frees the same memory twice.
// Caught as: CRASHED
// Says: on m=1 n=1 k=1: abort (
// Says: a corrupted heap
#include <cstdlib>

#include "right.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  multiply(g);
  void* volatile p = std::malloc(64);
  std::free(p);
  std::free(p);
}
