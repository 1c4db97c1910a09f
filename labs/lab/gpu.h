// The GPU runtime with its CUDA names. HIP builds map the names here, and only here.
#pragma once

#if defined(LAB_EMULATED)
#include "emulator/device/runtime.h"
#elif defined(__HIPCC__)
#include "lab/hip_names.h"
#else
#include <cuda_runtime.h>
#endif

#include <cstdint>

#include "lab/abi.h"

#define LAB_GPU 1

namespace lab {

using Stream = cudaStream_t;

/// Blocks of `block` threads needed to cover `count` elements.
template <class I>
constexpr unsigned blocks_for(I count, unsigned block) {
  return static_cast<unsigned>((count + block - 1) / block);
}

/// A grid over `columns` x `rows` elements, columns along x. A grid has at most 65535 blocks along y (along
/// x: 2^31 - 1), so a kernel loops over further rows in steps of gridDim.y * blockDim.y.
inline dim3 grid_for(int64_t columns, int64_t rows, dim3 threads) {
  constexpr unsigned most_along_y = 65535;
  const unsigned down = blocks_for(rows, threads.y);
  return dim3(blocks_for(columns, threads.x), down < most_along_y ? down : most_along_y);
}

/// For LAB_GEMM_LAUNCH: the shape of a launch with this grid.
inline lab_launch launch_of(dim3 grid, int64_t threads) {
  return {int64_t{grid.x} * grid.y * grid.z, threads};
}

/// Blocks along x that cover `count` elements, at most as many as a grid may have. A kernel loops over
/// further elements in steps of gridDim.x * blockDim.x.
inline dim3 grid_along_x(int64_t count, unsigned block) {
  constexpr int64_t most_along_x = 2147483647;
  const int64_t blocks = (count + block - 1) / block;
  return dim3(static_cast<unsigned>(blocks < most_along_x ? blocks : most_along_x));
}

}  // namespace lab
