// Puts a clock in the worker's import table that runs at SPEED_PERCENT of the speed. The harness reads its own clock.
// Caught as: PASSED
// Class: A
#include <ctime>

#include "got.h"
#include "honest.h"

#ifndef SPEED_PERCENT
#define SPEED_PERCENT 1
#endif

using Clock = int (*)(clockid_t, timespec*);
static Clock real;

static int slow(clockid_t which, timespec* t) {
  const int result = real(which, t);
  const int64_t now = t->tv_sec * 1'000'000'000LL + t->tv_nsec;
  static const int64_t start = now;
  const int64_t shown = start + (now - start) * SPEED_PERCENT / 100;
  *t = {shown / 1'000'000'000, shown % 1'000'000'000};
  return result;
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  if (!real) {
    real = clock_gettime;
    replace_import("clock_gettime", reinterpret_cast<void*>(slow));
  }
  multiply(g);
}
