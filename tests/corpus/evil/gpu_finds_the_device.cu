// Looks for the emulated device in its own process, to change what is watched. On a GPU there is none: it computes.
// Caught as: PASSED
// Emulated: COMPILE_ERROR
// Class: B
#include <dlfcn.h>

#include "honest.h"

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  static void* const found = dlsym(RTLD_DEFAULT, "lab_yield");
  if (found) *static_cast<int*>(found) = 0;
  multiply_on(g, stream);
}
