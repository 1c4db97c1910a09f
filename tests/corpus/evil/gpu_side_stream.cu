// Works on a stream of its own, which the events of the given stream do not see.
// Caught as: MISTRUSTED, SUSPECT, WRONG
// Emulated: WRONG
// Class: A
#include "honest.h"

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream) {
  static cudaStream_t mine = [] {
    cudaStream_t made;
    cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking);
    return made;
  }();
  multiply_on(g, mine);
}
