// Multiplies after a long sleep.
// Caught as: TIMEOUT
// Class: F
// Says: on m=1 n=1 k=1: no answer after 3 s while it ran
#include <unistd.h>

#include "honest.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  sleep(600);
  multiply(g);
}
