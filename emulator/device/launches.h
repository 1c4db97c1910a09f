// The functions that launch a kernel or ask about one. The rewriter takes the cast out of the first argument of these
// functions, so that the types of the kernel's parameters are known, and writes the kernel's name before it.
#pragma once

#include <utility>

#include "emulator/device/launch.h"

enum cudaLaunchAttributeID {
  cudaLaunchAttributeIgnore,
  cudaLaunchAttributeAccessPolicyWindow,
  cudaLaunchAttributeCooperative,
  cudaLaunchAttributeSynchronizationPolicy,
  cudaLaunchAttributeClusterDimension,
  cudaLaunchAttributeClusterSchedulingPolicyPreference,
  cudaLaunchAttributeProgrammaticStreamSerialization,
  cudaLaunchAttributeProgrammaticEvent,
  cudaLaunchAttributePriority
};
struct cudaLaunchAttributeValue {
  int cooperative, priority, programmaticStreamSerializationAllowed;
  struct {
    unsigned x, y, z;
  } clusterDim;
};
struct cudaLaunchAttribute {
  cudaLaunchAttributeID id;
  cudaLaunchAttributeValue val;
};
struct cudaLaunchConfig_t {
  dim3 gridDim, blockDim;
  size_t dynamicSmemBytes;
  cudaStream_t stream;
  cudaLaunchAttribute* attrs;
  unsigned numAttrs;
};

struct cudaFuncAttributes {
  size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
  int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA, maxDynamicSharedSizeBytes,
      preferredShmemCarveout;
};

enum { cudaOccupancyDefault = 0, cudaOccupancyDisableCachingOverride = 1 };

namespace lab::emulated {

constexpr int threads_per_multiprocessor = 2048, blocks_per_multiprocessor = 32, shared_per_multiprocessor = 228 << 10;

template <class... P, size_t... i>
cudaError_t launch_with(Site site, const Configuration& c, void (*kernel)(P...), void** arguments,
                        std::index_sequence<i...>) {
  launch(
      site, c, [=](P... p) __attribute__((no_sanitize("thread"))) { kernel(p...); },
      *static_cast<std::remove_cvref_t<P>*>(arguments[i])...);
  return cudaPeekAtLastError();
}

template <class... P>
cudaError_t launch_kernel(Site site, void (*kernel)(P...), dim3 grid, dim3 block, void** arguments,
                          size_t shared_bytes = 0, cudaStream_t stream = nullptr) {
  return launch_with(site, Configuration(grid, block, shared_bytes, stream), kernel, arguments,
                     std::index_sequence_for<P...>());
}
template <class... P>
cudaError_t launch_together(Site site, void (*kernel)(P...), dim3 grid, dim3 block, void** arguments,
                            size_t shared_bytes = 0, cudaStream_t stream = nullptr) {
  Configuration c(grid, block, shared_bytes, stream);
  c.is_cooperative = true;
  return launch_with(site, c, kernel, arguments, std::index_sequence_for<P...>());
}
#define LAB_TYPES_MISSING \
  [[gnu::error("the emulated device launches a kernel that is named here: cudaLaunchKernel((void*)kernel, ...)")]]
LAB_TYPES_MISSING cudaError_t launch_kernel(Site, const void*, dim3, dim3, void**, size_t = 0, cudaStream_t = nullptr);
LAB_TYPES_MISSING cudaError_t launch_together(Site, const void*, dim3, dim3, void**, size_t = 0,
                                              cudaStream_t = nullptr);
#undef LAB_TYPES_MISSING

template <class... P, class... A>
cudaError_t launch_configured(Site site, const cudaLaunchConfig_t* config, void (*kernel)(P...), A&&... arguments) {
  Configuration c(config->gridDim, config->blockDim, config->dynamicSmemBytes, config->stream);
  for (unsigned i = 0; i < config->numAttrs; ++i)
    if (config->attrs[i].id == cudaLaunchAttributeCooperative) c.is_cooperative = config->attrs[i].val.cooperative != 0;
  launch(
      site, c, [=](P... p) __attribute__((no_sanitize("thread"))) { kernel(p...); },
      std::remove_cvref_t<P>(std::forward<A>(arguments))...);
  return cudaPeekAtLastError();
}

}  // namespace lab::emulated

template <class Kernel>
cudaError_t cudaFuncSetAttribute(Kernel kernel, cudaFuncAttribute attribute, int value) {
  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return cudaSuccess;
  return lab_set_shared_limit((const void*)kernel, value);
}
template <class Kernel>
cudaError_t cudaFuncSetCacheConfig(Kernel, cudaFuncCache) {
  return cudaSuccess;
}
template <class Kernel>
cudaError_t cudaFuncSetSharedMemConfig(Kernel, cudaSharedMemConfig) {
  return cudaSuccess;
}
/// Registers are those of a small kernel: the emulated device does not know them.
template <class Kernel>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* out, Kernel) {
  *out = {};
  out->maxThreadsPerBlock = 1024;
  out->numRegs = 32;
  out->ptxVersion = out->binaryVersion = 90;
  out->maxDynamicSharedSizeBytes = 48 << 10;
  return cudaSuccess;
}
/// As threads and shared memory allow; registers are not known.
template <class Kernel>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, Kernel, int threads, size_t shared_bytes) {
  using namespace lab::emulated;
  if (threads < 1 || threads > 1024) return cudaErrorInvalidValue;
  const int warps = (threads + 31) / 32;
  const int by_shared = shared_per_multiprocessor / (static_cast<int>(shared_bytes) + 1024);
  const int by_threads = threads_per_multiprocessor / 32 / warps;
  *blocks = by_shared < by_threads ? by_shared : by_threads;
  if (*blocks > blocks_per_multiprocessor) *blocks = blocks_per_multiprocessor;
  return cudaSuccess;
}
template <class Kernel>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, Kernel kernel, int threads,
                                                                   size_t shared_bytes, unsigned) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel, threads, shared_bytes);
}
/// Shared memory for each of so many blocks on one multiprocessor.
template <class Kernel>
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, Kernel, int blocks, int) {
  using namespace lab::emulated;
  if (blocks < 1 || blocks > blocks_per_multiprocessor) return cudaErrorInvalidValue;
  const int shared_bytes = shared_per_multiprocessor / blocks - 1024;
  *bytes = shared_bytes > 0 ? static_cast<size_t>(shared_bytes) : 0;
  return cudaSuccess;
}
template <class Kernel>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int* grid, int* block, Kernel, size_t = 0, int limit = 0) {
  *block = limit > 0 && limit < 1024 ? limit : 1024;
  *grid = lab::emulated::threads_per_multiprocessor / 1024;
  return cudaSuccess;
}
template <class Kernel, class Bytes>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* grid, int* block, Kernel kernel, Bytes, int limit = 0) {
  return cudaOccupancyMaxPotentialBlockSize(grid, block, kernel, 0, limit);
}
