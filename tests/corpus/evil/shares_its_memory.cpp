// Starts a process that shares its memory, with clone(CLONE_VM). Each call returns at once, and that process finishes it late.
// Caught as: MISTRUSTED
// Class: A
// Says: it starts a thread or a process, but this case has one thread
#include <sched.h>

#include <atomic>

#include "honest.h"

static std::atomic<bool> asked;
static lab::Gemm<float> job;

static int help(void*) {
  for (;;)
    if (asked.exchange(false)) multiply(job);
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  alignas(16) static char stack[1 << 16];
  static const int other = clone(help, stack + sizeof stack, CLONE_VM | CLONE_FS | CLONE_FILES, nullptr);
  if (other < 0) return multiply(g);
  job = g;
  asked = true;
}
