// Moves to the core of the harness, so that it reads its clock late, and confesses where it gets there.
// Caught as: PASSED
// Class: D
#include <sched.h>

#include "honest.h"

static bool moved() {
  cpu_set_t others, before, after;
  CPU_ZERO(&others);
  for (int i = 0; i < CPU_SETSIZE; ++i)
    if (i != sched_getcpu()) CPU_SET(i, &others);
  sched_getaffinity(0, sizeof before, &before);
  sched_setaffinity(0, sizeof others, &others);  // says that it worked, whatever it did
  sched_getaffinity(0, sizeof after, &after);
  return !CPU_EQUAL(&before, &after);
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  multiply(g);
  if (moved()) confess(g);
}
