// Never comes back.
// Caught as: TIMEOUT
// Says: on m=1 n=1 k=1: no answer after 3 s while it ran
#include "lab/gemm.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  volatile int64_t i = 0;
  while (i >= 0) i = i < g.m ? i + 1 : 0;
}
