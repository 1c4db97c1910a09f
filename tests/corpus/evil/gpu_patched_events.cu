// Makes the table of device operations writable, and puts a time of its own there.
// Caught as: SUSPECT
// Emulated: COMPILE_ERROR
// Class: A
#include "own_table.h"

static double a_microsecond() { return 1e-3; }

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  static const bool done = [] {
    own_table().between_ms = a_microsecond;
    return true;
  }();
  (void)done;
  multiply_on(g, stream);
}
