// Reports half of the time of two calls in three: a lower quartile of all calls does not show it, a median does.
// Caught as: SUSPECT
// Emulated: COMPILE_ERROR
// Class: A
#include "own_table.h"

static double (*measured_ms)();
static double half_of_most() {
  static int calls = 0;
  return measured_ms() / (calls++ % 3 ? 2 : 1);
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  static const bool done = [] {
    measured_ms = lab_device.between_ms;
    own_table().between_ms = half_of_most;
    return true;
  }();
  (void)done;
  multiply_on(g, stream);
}
