// An ifunc: its resolver runs while the object is loaded, before anybody asked for anything.
// Caught as: CRASHED
// Class: B
// Says: while it was loaded
#include <unistd.h>

#include "honest.h"

static void work(const lab::Gemm<float>& g) { multiply(g); }
extern "C" {
using Work = void (*)(const lab::Gemm<float>&);
static Work choose() {
  _exit(0);
  return work;
}
}
void chosen(const lab::Gemm<float>& g) __attribute__((ifunc("choose")));

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) { chosen(g); }
