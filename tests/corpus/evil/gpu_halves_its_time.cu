// Reports half of the time that its events measured.
// Caught as: SUSPECT
// Emulated: COMPILE_ERROR
// Class: A
#include "own_table.h"

static double (*measured_ms)();
static double half() { return measured_ms() / 2; }

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  static const bool done = [] {
    measured_ms = lab_device.between_ms;
    own_table().between_ms = half;
    return true;
  }();
  (void)done;
  multiply_on(g, stream);
}
