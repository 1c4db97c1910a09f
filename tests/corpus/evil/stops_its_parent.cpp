// Stops the process that started it, so that the clock outside does not go on.
// Caught as: PASSED, CRASHED, TIMEOUT
// Class: A
#include <unistd.h>

#include <csignal>

#include "honest.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  multiply(g);
  kill(getppid(), SIGSTOP);
}
