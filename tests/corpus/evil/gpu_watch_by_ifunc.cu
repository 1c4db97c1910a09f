// Answers the emulated device's watch itself, with a function that a resolver chooses when the object is loaded.
// Caught as: COMPILE_ERROR, PASSED
// Emulated: COMPILE_ERROR
// Class: E
#include "honest.h"

extern "C" {
static void nothing(void*) {}
[[gnu::used]] static void (*choose())(void*) { return nothing; }
[[gnu::visibility("hidden")]] void __tsan_write4(void*) __attribute__((ifunc("choose")));
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) { multiply_on(g, stream); }
