// Has signals sent to itself, to compute at times of its own choice, and confesses where a timer can be set.
// Caught as: PASSED
// Class: D
#include <signal.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "honest.h"

static void compute(int) {}

static bool has_a_timer() {
  signal(SIGALRM, compute);
  const itimerval often{{0, 100}, {0, 100}};
  timer_t timer;
  alarm(1);
  return alarm(0) == 1 || setitimer(ITIMER_REAL, &often, nullptr) == 0 || timer_create(CLOCK_MONOTONIC, nullptr, &timer) == 0;
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  static const bool yes = has_a_timer();
  multiply(g);
  if (yes) confess(g);
}
