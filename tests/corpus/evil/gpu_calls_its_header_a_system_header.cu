// Takes a kernel out of what the emulated device watches, in a header that calls itself one of the system.
// Caught as: COMPILE_ERROR, PASSED
// Emulated: COMPILE_ERROR
// Class: E
#include "unwatched.h"

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  const dim3 block(16, 16);
  unwatched<<<lab::grid_for(g.n, g.m, block), block, 0, stream>>>(g);
}
