// Multiplies after a long sleep.
#include <unistd.h>

#include "right.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  sleep(600);
  multiply(g);
}
