// Catches the signal of its own fault and goes on behind it.
// Caught as: OUT_OF_BOUNDS, CRASHED, WRONG
// Class: E
#include <csetjmp>
#include <csignal>

#include "honest.h"

static sigjmp_buf back;
static void go_back(int) { siglongjmp(back, 1); }

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  signal(SIGSEGV, go_back);
  if (sigsetjmp(back, 1) == 0) g.c[-1] = 42, g.c[(g.m - 1) * g.ldc + g.n] = 42;
  multiply(g);
}
