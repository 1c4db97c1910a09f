// Frees the same memory twice.
#include <cstdlib>

#include "right.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  multiply(g);
  void* volatile p = std::malloc(64);
  std::free(p);
  std::free(p);
}
