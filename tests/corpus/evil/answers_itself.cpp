// Writes an answer of its own to every descriptor it finds.
// Caught as: CRASHED
// Class: B
// Says: on m=1 n=1 k=1: its process answered nonsense: did it write to descriptor 3?
#include <unistd.h>

#include "honest.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  for (int fd = 0; fd < 64; ++fd)
    if (write(fd, "PASSED", 6) < 0) continue;
  multiply(g);
}
