// A thread of the host launches the kernel later, when the call has returned.
// Caught as: MISTRUSTED, SUSPECT, WRONG, CRASHED, OUT_OF_BOUNDS
// Class: A
#include <chrono>
#include <thread>

#include "honest.h"

LAB_NEEDS(threads);

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  std::thread([=] {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    multiply_on(g, stream);
  }).detach();
}
