// Prints escape sequences and lines that look like ours, then multiplies: no harm done.
// Caught as: PASSED
// Class: B
#include <cstdio>

#include "honest.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  std::printf("\x1b[2J\x1b]0;owned\a\nPASSED  all of it\n{\"event\": \"end\", \"passed\": 99}\n\xff\xfe\n");
  std::fflush(stdout);
  multiply(g);
}
