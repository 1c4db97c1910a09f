// Closes all descriptors, then multiplies.
// Caught as: CRASHED
// Class: B
// Says: on m=1 n=1 k=1: the process ended by itself with exit status 0 while it ran
#include <unistd.h>

#include "honest.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  for (int fd = 0; fd < 64; ++fd) close(fd);
  multiply(g);
}
