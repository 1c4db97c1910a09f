// Moves the emulated device to the next phase with a function of its own, under another name: a race is not seen any more.
// Caught as: COMPILE_ERROR, PASSED
// Emulated: COMPILE_ERROR
// Class: E
#include "honest.h"

static void no_barrier() __attribute__((weakref("lab_barrier_complete")));

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  if (no_barrier) no_barrier();
  multiply_on(g, stream);
}
