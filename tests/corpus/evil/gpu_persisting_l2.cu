// Asks L2 to keep B from one call to the next.
// A virtual GPU may not let a process reserve L2: then it crashes.
// Caught as: PASSED, SUSPECT, CRASHED
// Emulated: COMPILE_ERROR
// Class: A
#include "honest.h"

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 32 << 20);
  cudaStreamAttrValue keep = {};
  keep.accessPolicyWindow.base_ptr = const_cast<float*>(g.b);
  keep.accessPolicyWindow.num_bytes = g.k * g.ldb * sizeof(float);
  keep.accessPolicyWindow.hitRatio = 1;
  keep.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
  keep.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
  cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &keep);
  multiply_on(g, stream);
}
