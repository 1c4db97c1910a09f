// Never comes back.
#include "lab/gemm.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  volatile int64_t i = 0;
  while (i >= 0) i = i < g.m ? i + 1 : 0;
}
