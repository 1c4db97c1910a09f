// The GPU runtime under its CUDA names. HIP builds map the names here, and only here.
#pragma once

#if defined(LAB_EMULATED)
#include "lab/emulated/runtime.h"
#elif defined(__HIPCC__)
#include "lab/hip_names.h"
#else
#include <cuda_runtime.h>
#endif

#define LAB_GPU 1

namespace lab {

using Stream = cudaStream_t;

/// Blocks of `block` threads needed to cover `count` elements.
template <class I>
constexpr unsigned blocks_for(I count, unsigned block) {
  return static_cast<unsigned>((count + block - 1) / block);
}

}  // namespace lab
