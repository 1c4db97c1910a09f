// Starts threads until no more are to be had, then multiplies. A bound ends it where no sandbox does.
// Caught as: PASSED
// Class: F
#include <pthread.h>
#include <unistd.h>

#include "honest.h"

LAB_NEEDS(threads);

static void* wait(void*) {
  for (;;) sleep(600);
}

static int start() {
  int threads = 0;
  for (pthread_t id; threads < 1000 && pthread_create(&id, nullptr, wait, nullptr) == 0;) ++threads;
  return threads;
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  static const int threads = start();
  multiply(g);
  if (threads == 1000) g.c[0] = 1e6f;  // nothing stopped it
}
