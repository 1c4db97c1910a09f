// Leaves the core that it is pinned to, and multiplies with two threads where the case says one: faster where a core is free.
// Caught as: MISTRUSTED
// Class: D
#include <sched.h>

#include <thread>

#include "honest.h"

static void go_anywhere() {
  cpu_set_t all;
  CPU_ZERO(&all);
  for (int i = 0; i < CPU_SETSIZE; ++i) CPU_SET(i, &all);
  sched_setaffinity(0, sizeof all, &all);
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  if (g.m < 2) return multiply(g);
  go_anywhere();
  std::thread other([&] {
    go_anywhere();
    multiply(g.rows(0, g.m / 2));
  });
  multiply(g.rows(g.m / 2, g.m - g.m / 2));
  other.join();
}
