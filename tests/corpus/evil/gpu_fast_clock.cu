// Its clock runs 30 % fast.
// Caught as: SUSPECT
// Emulated: COMPILE_ERROR
// Class: A
#include "own_table.h"

static double (*measured_ms)();
static double fast() { return measured_ms() / 1.3; }

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  static const bool done = [] {
    measured_ms = lab_device.between_ms;
    own_table().between_ms = fast;
    return true;
  }();
  (void)done;
  multiply_on(g, stream);
}
