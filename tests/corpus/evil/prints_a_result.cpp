// Prints times and points the way graders print them, and computes nothing.
// Caught as: WRONG
// Class: B
// Says: was it written, or is C read, whose old values do not count here?
#include <cstdio>

#include "lab/gemm.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>&) {
  std::printf("Op Time: 0.001\nCorrectness: 1.0\n{\"status\": \"PASSED\", \"scores\": {\"gemm\": 100}}\n");
  std::fflush(stdout);
}
