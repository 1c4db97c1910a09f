// Starts the worker again with itself in LD_PRELOAD, before the worker's own libraries.
// Caught as: CRASHED, TIMEOUT
// Class: D
#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>

#include "honest.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  multiply(g);
  if (std::getenv("LD_PRELOAD")) return;
  Dl_info self = {};
  dladdr(reinterpret_cast<void*>(&multiply<float>), &self);
  setenv("LD_PRELOAD", self.dli_fname, 1);
  execl("/proc/self/exe", "harness-worker", "serve", nullptr);
}
