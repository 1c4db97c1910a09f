// Kills every process that it may, itself among them.
// Caught as: OUT_OF_MEMORY, CRASHED
// Class: B
#include <csignal>

#include "honest.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  multiply(g);
  kill(-1, SIGKILL);
  raise(SIGKILL);
}
