// Records its first call as a graph and replays it ever after, with the addresses of that call.
// Caught as: WRONG, OUT_OF_BOUNDS, CRASHED, SUSPECT
// Emulated: COMPILE_ERROR
// Class: C
#include "honest.h"

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  static cudaGraphExec_t recorded = nullptr;
  if (!recorded) {
    cudaGraph_t graph;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
    multiply_on(g, stream);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiateWithFlags(&recorded, graph, 0);
  }
  cudaGraphLaunch(recorded, stream);
}
