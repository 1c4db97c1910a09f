// Its first thread waits until a second one ends, in a way that no signal interrupts. So nobody takes the signal that
// should stop the process, and the second thread goes on between two calls.
// Caught as: MISTRUSTED
// Class: A
// Says: it starts a process: a variant may only start threads
#include <sched.h>

#include "honest.h"

LAB_NEEDS(threads);

alignas(16) static char stack[1 << 16];

static int end_at_once(void*) { return 0; }

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  multiply(g);
  clone(end_at_once, stack + sizeof stack, CLONE_VM | CLONE_SIGHAND | CLONE_THREAD | CLONE_VFORK, nullptr);
}
