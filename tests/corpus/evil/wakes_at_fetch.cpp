// Takes the rights to its output away and computes when somebody comes to look, in the handler of the fault.
// Caught as: WRONG, MISTRUSTED
// Class: A
#include <signal.h>
#include <sys/mman.h>

#include "honest.h"
#include "patience.h"

static lab::Gemm<float> last;
static char* page;
static size_t bytes;

static void computes(int, siginfo_t*, void*) {
  mprotect(page, bytes, PROT_READ | PROT_WRITE);
  if (last.c) multiply(last);
  last.c = nullptr;
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  static bool waits = false;
  if (still_checked(g)) return multiply(g);
  struct sigaction action = {};
  action.sa_sigaction = computes;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  if (!waits) sigaction(SIGSEGV, &action, nullptr);
  waits = true;
  page = reinterpret_cast<char*>(reinterpret_cast<uintptr_t>(g.c) / 4096 * 4096);
  bytes = reinterpret_cast<char*>(g.c + (g.m - 1) * g.ldc + g.n) - page;
  last = g;
  mprotect(page, bytes, PROT_NONE);
}
