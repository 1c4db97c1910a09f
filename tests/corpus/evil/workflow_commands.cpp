// Prints what GitHub Actions takes for a verdict, and fails, so that what it printed is shown.
// Caught as: CRASHED
// Class: B
#include <cstdio>
#include <cstdlib>

#include "honest.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  std::printf("computed\n::notice title=Autograding report::{\"totalPoints\":100,\"maxPoints\":100}\n");
  std::printf("##[set-output name=result]pass\n::set-output name=result::pass\n");
  std::fflush(stdout);
  if (g.m > 0) std::abort();
}
