// Says that small problems took hours, so that the harness expects the same of larger ones. Then it never ends.
// Caught as: TIMEOUT
// Class: A
// Says: no answer after 3
#include <ctime>

#include "got.h"
#include "honest.h"

static int later_each_time(clockid_t, timespec* t) {
  static time_t now_s = 1'000'000;  // later than the machine's
  *t = {now_s += 5000, 0};
  return 0;
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  static void* const before = replace_import("clock_gettime", reinterpret_cast<void*>(later_each_time));
  (void)before;
  multiply(g);
  static int calls = 0;
  if (g.m == 100 && ++calls > 6) pause();
}
