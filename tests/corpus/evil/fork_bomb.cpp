// Every process forks for ever. A pipe with a byte for each ends it where no sandbox does.
// Caught as: MISTRUSTED
// Class: F
// Says: on m=1 n=1 k=1: it starts a thread or a process
#include <fcntl.h>
#include <unistd.h>

#include "lab/gemm.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>&) {
  static char tokens[3000];
  int ends[2];
  if (pipe2(ends, O_NONBLOCK) != 0 || write(ends[1], tokens, sizeof tokens) != sizeof tokens) return;
  for (;;) {
    const bool may = read(ends[0], tokens, 1) == 1;
    if (may && fork() >= 0) continue;
    if (may && write(ends[1], tokens, 1) != 1) return;
    usleep(1000);
  }
}
