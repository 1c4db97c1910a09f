// Starts a thread for the work and does not wait for it.
// Caught as: WRONG, CRASHED, OUT_OF_BOUNDS, SUSPECT
#include <chrono>
#include <thread>

#include "right.h"

LAB_NEEDS(threads);
#include "lab/gemm.h"

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  std::thread([g] {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    multiply(g);
  }).detach();
}
