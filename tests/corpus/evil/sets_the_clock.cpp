// Sets the time of the machine, and confesses where it may.
// Caught as: PASSED
// Class: A
#include <sys/timex.h>

#include <ctime>

#include "honest.h"

static bool changed() {
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  timex faster = {};
  faster.modes = ADJ_TICK;
  faster.tick = 10000;
  return clock_settime(CLOCK_REALTIME, &now) == 0 || adjtimex(&faster) >= 0;
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  static const bool set = changed();
  multiply(g);
  if (set) confess(g);
}
