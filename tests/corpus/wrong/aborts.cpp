// Prints what a terminal or a browser would obey, then fails an assertion.
// Caught as: CRASHED
// Says: on m=1 n=1 k=1: abort (a failed assertion
#undef NDEBUG
#include <cassert>
#include <cstdio>

#include "right.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  std::fprintf(stderr, "\x1b[2J<script>alert(1)</script> | ** `\n");
  assert(g.m % 16 == 0);
  multiply(g);
}
