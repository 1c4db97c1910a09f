// Switches the emulated device's diagnostics off with a function of its own, under another name.
// Caught as: COMPILE_ERROR
// Class: E
#include "honest.h"

#pragma redefine_extname look_away _ZN3lab8emulated9configureEPKc
extern "C" void look_away(const char* options);

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  look_away("diagnostics=off");
  multiply_on(g, stream);
}
