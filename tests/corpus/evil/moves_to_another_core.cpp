// Moves to the core of the harness, so that it reads its clock late, and confesses where it gets there.
// Caught as: PASSED
// Class: D
#include <sched.h>

#include "honest.h"

static bool moved() {
  cpu_set_t others;
  CPU_ZERO(&others);
  for (int i = 0; i < CPU_SETSIZE; ++i)
    if (i != sched_getcpu()) CPU_SET(i, &others);
  return sched_setaffinity(0, sizeof others, &others) == 0;
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  multiply(g);
  if (moved()) confess(g);
}
