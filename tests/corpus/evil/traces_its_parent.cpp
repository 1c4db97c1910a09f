// Attaches to the process that started it, as a debugger does, and confesses where it may.
// Caught as: PASSED
// Class: A
#include <sys/ptrace.h>
#include <unistd.h>

#include "honest.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  static const bool attached = ptrace(PTRACE_SEIZE, getppid(), nullptr, nullptr) == 0;
  multiply(g);
  if (attached) confess(g);
}
