// Registers a function that forges the answer when the process ends.
// Caught as: PASSED
// Class: B
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "honest.h"

static void forge() {
  char answer[552] = {2};
  (void)!write(3, answer, sizeof answer);
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  static const int registered = std::atexit(forge);
  (void)registered;
  multiply(g);
}
