// Forbids others to look into its process, and confesses where that is its to say.
// Caught as: PASSED
// Class: A
#include <sys/prctl.h>

#include "honest.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  static const bool hidden = prctl(PR_SET_DUMPABLE, 0) == 0;
  multiply(g);
  if (hidden) confess(g);
}
