// Asks for real-time priority and a negative nice value, and confesses where it gets one of them.
// Caught as: PASSED
// Class: A
#include <sched.h>
#include <sys/resource.h>

#include "honest.h"

static bool got_it() {
  const sched_param first{1};
  const bool real_time = sched_setscheduler(0, SCHED_FIFO, &first) == 0;
  return real_time || setpriority(PRIO_PROCESS, 0, -10) == 0;
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  static const bool got = got_it();
  multiply(g);
  if (got) confess(g);
}
