// Leaves a process of its own behind, and ends.
// Caught as: MISTRUSTED
// Class: F
// Says: on m=1 n=1 k=1: it starts a thread or a process
#include <unistd.h>

#include "lab/gemm.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>&) {
  if (fork() == 0) {
    setsid();
    if (fork() == 0)
      for (int second = 0; second < 600; ++second) sleep(1);
  }
  _exit(0);
}
