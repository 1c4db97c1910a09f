// Exports a clock_gettime of its own, in the hope that the worker takes it for the real one.
// Caught as: PASSED
// Class: A
#include <dlfcn.h>

#include <ctime>

#include "honest.h"

extern "C" {
[[gnu::used]] static int standing_still(clockid_t, timespec* t) {
  *t = {1, 0};
  return 0;
}
}
asm(".global clock_gettime\n.set clock_gettime, standing_still");

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  multiply(g);
  if (dlsym(RTLD_DEFAULT, "clock_gettime") == reinterpret_cast<void*>(&standing_still)) confess(g);
}
