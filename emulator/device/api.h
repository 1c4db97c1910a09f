// The host functions of the CUDA runtime. The device finishes each call before it returns, so streams, events
// and asynchronous copies are always in order, and the errors of a kernel are known when its launch returns.
#pragma once

#include "emulator/device/errors.h"
#include "emulator/device/types.h"

struct lab_stream;
struct lab_event;
typedef lab_stream* cudaStream_t;
typedef lab_event* cudaEvent_t;
#define cudaStreamLegacy (static_cast<cudaStream_t>(nullptr))
#define cudaStreamPerThread (static_cast<cudaStream_t>(nullptr))

enum cudaMemcpyKind {
  cudaMemcpyHostToHost,
  cudaMemcpyHostToDevice,
  cudaMemcpyDeviceToHost,
  cudaMemcpyDeviceToDevice,
  cudaMemcpyDefault
};
enum { cudaStreamDefault = 0, cudaStreamNonBlocking = 1 };
enum { cudaEventDefault = 0, cudaEventBlockingSync = 1, cudaEventDisableTiming = 2 };
enum { cudaHostAllocDefault = 0, cudaHostAllocPortable = 1, cudaHostAllocMapped = 2, cudaHostAllocWriteCombined = 4 };
enum { cudaHostRegisterDefault = 0, cudaHostRegisterPortable = 1, cudaHostRegisterMapped = 2 };
enum { cudaMemAttachGlobal = 1, cudaMemAttachHost = 2, cudaMemAttachSingle = 4 };
enum { cudaEventInterprocess = 4, cudaEventRecordDefault = 0, cudaEventWaitDefault = 0 };
enum {
  cudaDeviceScheduleAuto = 0,
  cudaDeviceScheduleSpin = 1,
  cudaDeviceScheduleYield = 2,
  cudaDeviceScheduleBlockingSync = 4,
  cudaDeviceMapHost = 8
};
enum { cudaCpuDeviceId = -1, cudaInvalidDeviceId = -2 };
enum cudaFuncAttribute {
  cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
  cudaFuncAttributePreferredSharedMemoryCarveout = 9,
  cudaFuncAttributeClusterDimMustBeSet = 10,
  cudaFuncAttributeRequiredClusterWidth = 11,
  cudaFuncAttributeRequiredClusterHeight = 12,
  cudaFuncAttributeRequiredClusterDepth = 13,
  cudaFuncAttributeNonPortableClusterSizeAllowed = 14
};
enum cudaSharedCarveout {
  cudaSharedmemCarveoutDefault = -1,
  cudaSharedmemCarveoutMaxL1 = 0,
  cudaSharedmemCarveoutMaxShared = 100
};
enum cudaSharedMemConfig {
  cudaSharedMemBankSizeDefault,
  cudaSharedMemBankSizeFourByte,
  cudaSharedMemBankSizeEightByte
};
enum cudaLimit {
  cudaLimitStackSize,
  cudaLimitPrintfFifoSize,
  cudaLimitMallocHeapSize,
  cudaLimitDevRuntimeSyncDepth,
  cudaLimitDevRuntimePendingLaunchCount,
  cudaLimitMaxL2FetchGranularity,
  cudaLimitPersistingL2CacheSize
};
enum cudaMemLocationType {
  cudaMemLocationTypeInvalid,
  cudaMemLocationTypeDevice,
  cudaMemLocationTypeHost,
  cudaMemLocationTypeHostNuma,
  cudaMemLocationTypeHostNumaCurrent
};
struct cudaMemLocation {
  cudaMemLocationType type;
  int id;
};
enum cudaMemoryAdvise {
  cudaMemAdviseSetReadMostly = 1,
  cudaMemAdviseUnsetReadMostly,
  cudaMemAdviseSetPreferredLocation,
  cudaMemAdviseUnsetPreferredLocation,
  cudaMemAdviseSetAccessedBy,
  cudaMemAdviseUnsetAccessedBy
};
enum cudaMemoryType { cudaMemoryTypeUnregistered, cudaMemoryTypeHost, cudaMemoryTypeDevice, cudaMemoryTypeManaged };
enum cudaComputeMode {
  cudaComputeModeDefault,
  cudaComputeModeExclusive,
  cudaComputeModeProhibited,
  cudaComputeModeExclusiveProcess
};
struct cudaPointerAttributes {
  cudaMemoryType type;
  int device;
  void *devicePointer, *hostPointer;
};
typedef void (*cudaHostFn_t)(void*);
typedef void (*cudaStreamCallback_t)(cudaStream_t, cudaError_t, void*);
enum cudaFuncCache {
  cudaFuncCachePreferNone,
  cudaFuncCachePreferShared,
  cudaFuncCachePreferL1,
  cudaFuncCachePreferEqual
};
#define LAB_DEVICE_ATTRIBUTES(X)                                              \
  X(cudaDevAttrMaxThreadsPerBlock, 1, maxThreadsPerBlock)                     \
  X(cudaDevAttrMaxBlockDimX, 2, maxThreadsDim[0])                             \
  X(cudaDevAttrMaxBlockDimY, 3, maxThreadsDim[1])                             \
  X(cudaDevAttrMaxBlockDimZ, 4, maxThreadsDim[2])                             \
  X(cudaDevAttrMaxGridDimX, 5, maxGridSize[0])                                \
  X(cudaDevAttrMaxGridDimY, 6, maxGridSize[1])                                \
  X(cudaDevAttrMaxGridDimZ, 7, maxGridSize[2])                                \
  X(cudaDevAttrMaxSharedMemoryPerBlock, 8, sharedMemPerBlock)                 \
  X(cudaDevAttrTotalConstantMemory, 9, totalConstMem)                         \
  X(cudaDevAttrWarpSize, 10, warpSize)                                        \
  X(cudaDevAttrMaxRegistersPerBlock, 12, regsPerBlock)                        \
  X(cudaDevAttrClockRate, 13, clockRate)                                      \
  X(cudaDevAttrMultiProcessorCount, 16, multiProcessorCount)                  \
  X(cudaDevAttrKernelExecTimeout, 17, kernelExecTimeoutEnabled)               \
  X(cudaDevAttrIntegrated, 18, integrated)                                    \
  X(cudaDevAttrCanMapHostMemory, 19, canMapHostMemory)                        \
  X(cudaDevAttrComputeMode, 20, computeMode)                                  \
  X(cudaDevAttrEccEnabled, 32, ECCEnabled)                                    \
  X(cudaDevAttrAsyncEngineCount, 40, asyncEngineCount)                        \
  X(cudaDevAttrPageableMemoryAccess, 88, pageableMemoryAccess)                \
  X(cudaDevAttrConcurrentKernels, 31, concurrentKernels)                      \
  X(cudaDevAttrMemoryClockRate, 36, memoryClockRate)                          \
  X(cudaDevAttrGlobalMemoryBusWidth, 37, memoryBusWidth)                      \
  X(cudaDevAttrL2CacheSize, 38, l2CacheSize)                                  \
  X(cudaDevAttrMaxThreadsPerMultiProcessor, 39, maxThreadsPerMultiProcessor)  \
  X(cudaDevAttrUnifiedAddressing, 41, unifiedAddressing)                      \
  X(cudaDevAttrComputeCapabilityMajor, 75, major)                             \
  X(cudaDevAttrComputeCapabilityMinor, 76, minor)                             \
  X(cudaDevAttrMaxSharedMemoryPerMultiprocessor, 81, sharedMemPerMultiprocessor) \
  X(cudaDevAttrMaxRegistersPerMultiprocessor, 82, regsPerMultiprocessor)      \
  X(cudaDevAttrManagedMemory, 83, managedMemory)                              \
  X(cudaDevAttrConcurrentManagedAccess, 89, concurrentManagedAccess)          \
  X(cudaDevAttrCooperativeLaunch, 95, cooperativeLaunch)                      \
  X(cudaDevAttrMaxSharedMemoryPerBlockOptin, 97, sharedMemPerBlockOptin)      \
  X(cudaDevAttrMaxBlocksPerMultiprocessor, 106, maxBlocksPerMultiProcessor)

#define LAB_ENUMERATOR(name, number, field) name = number,
enum cudaDeviceAttr { LAB_DEVICE_ATTRIBUTES(LAB_ENUMERATOR) };
#undef LAB_ENUMERATOR

struct cudaUUID_t {
  char bytes[16];
};
struct cudaDeviceProp {
  char name[256];
  size_t totalGlobalMem, sharedMemPerBlock, sharedMemPerBlockOptin, sharedMemPerMultiprocessor, totalConstMem;
  int regsPerBlock, regsPerMultiprocessor, warpSize, maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3];
  int major, minor, multiProcessorCount, maxThreadsPerMultiProcessor, maxBlocksPerMultiProcessor, l2CacheSize;
  int clockRate, memoryClockRate, memoryBusWidth;  // 0: not known
  int concurrentKernels, unifiedAddressing, managedMemory, concurrentManagedAccess, cooperativeLaunch,
      cooperativeMultiDeviceLaunch, canMapHostMemory, integrated, ECCEnabled, asyncEngineCount, deviceOverlap,
      computeMode, pciBusID, pciDeviceID, pciDomainID, tccDriver, isMultiGpuBoard, multiGpuBoardGroupID,
      pageableMemoryAccess, hostNativeAtomicSupported, streamPrioritiesSupported, globalL1CacheSupported,
      localL1CacheSupported, singleToDoublePrecisionPerfRatio, kernelExecTimeoutEnabled, persistingL2CacheMaxSize,
      accessPolicyMaxWindowSize, directManagedMemAccessFromHost, computePreemptionSupported;
  size_t memPitch, textureAlignment, reservedSharedMemPerBlock;
  // 0: the emulated device has none of it.
  cudaUUID_t uuid;
  char luid[8];
  unsigned luidDeviceNodeMask, gpuDirectRDMAFlushWritesOptions, memoryPoolSupportedHandleTypes, gpuPciDeviceID, gpuPciSubsystemID;
  size_t texturePitchAlignment, surfaceAlignment;
  int maxTexture1D, maxTexture1DMipmap, maxTexture1DLinear, maxTexture1DLayered[2], maxTexture2D[2], maxTexture2DMipmap[2],
      maxTexture2DLinear[3], maxTexture2DGather[2], maxTexture2DLayered[3], maxTexture3D[3], maxTexture3DAlt[3], maxTextureCubemap,
      maxTextureCubemapLayered[2], maxSurface1D, maxSurface1DLayered[2], maxSurface2D[2], maxSurface2DLayered[3], maxSurface3D[3],
      maxSurfaceCubemap, maxSurfaceCubemapLayered[2];
  int canUseHostPointerForRegisteredMem, pageableMemoryAccessUsesHostPageTables, hostRegisterSupported, hostRegisterReadOnlySupported,
      sparseCudaArraySupported, deferredMappingCudaArraySupported, timelineSemaphoreInteropSupported, memoryPoolsSupported,
      gpuDirectRDMASupported, gpuDirectRDMAWritesOrdering, ipcEventSupported, clusterLaunch, unifiedFunctionPointers, deviceNumaConfig,
      deviceNumaId, mpsEnabled, hostNumaId, hostNumaMultinodeIpcSupported;
};

extern "C" {
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();
const char* cudaGetErrorString(cudaError_t);
const char* cudaGetErrorName(cudaError_t);

cudaError_t cudaFree(void*);
cudaError_t cudaFreeAsync(void*, cudaStream_t);
cudaError_t cudaFreeHost(void*);
cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind);
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind, cudaStream_t = nullptr);
cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                         size_t height, cudaMemcpyKind);
cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                              size_t height, cudaMemcpyKind, cudaStream_t = nullptr);
cudaError_t cudaMemset(void*, int byte, size_t bytes);
cudaError_t cudaMemsetAsync(void*, int byte, size_t bytes, cudaStream_t = nullptr);
cudaError_t cudaMemset2D(void*, size_t pitch, int byte, size_t width, size_t height);
cudaError_t cudaMemset2DAsync(void*, size_t pitch, int byte, size_t width, size_t height, cudaStream_t = nullptr);
cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, size_t bytes);
cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, size_t bytes,
                                cudaStream_t = nullptr);
cudaError_t cudaHostRegister(void*, size_t bytes, unsigned flags);
cudaError_t cudaHostUnregister(void*);
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes*, const void*);
cudaError_t cudaMemPrefetchAsync(const void*, size_t bytes, int device, cudaStream_t = nullptr);
cudaError_t cudaMemAdvise(const void*, size_t bytes, cudaMemoryAdvise, int device);
cudaError_t cudaStreamAttachMemAsync(cudaStream_t, void*, size_t bytes = 0, unsigned flags = cudaMemAttachSingle);
cudaError_t cudaMemGetInfo(size_t* free_bytes, size_t* total_bytes);

cudaError_t cudaStreamCreate(cudaStream_t*);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t*, unsigned flags);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t*, unsigned flags, int priority);
cudaError_t cudaStreamGetPriority(cudaStream_t, int*);
cudaError_t cudaStreamGetFlags(cudaStream_t, unsigned*);
cudaError_t cudaStreamAddCallback(cudaStream_t, cudaStreamCallback_t, void* data, unsigned flags);
cudaError_t cudaLaunchHostFunc(cudaStream_t, cudaHostFn_t, void* data);
cudaError_t cudaStreamDestroy(cudaStream_t);
cudaError_t cudaStreamSynchronize(cudaStream_t);
cudaError_t cudaStreamQuery(cudaStream_t);
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned flags = 0);
cudaError_t cudaEventCreate(cudaEvent_t*);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t*, unsigned flags);
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t = nullptr);
cudaError_t cudaEventRecordWithFlags(cudaEvent_t, cudaStream_t = nullptr, unsigned flags = 0);
cudaError_t cudaEventSynchronize(cudaEvent_t);
cudaError_t cudaEventQuery(cudaEvent_t);
cudaError_t cudaEventDestroy(cudaEvent_t);
/// From the clock of the host. Times of the emulated device tell nothing about a GPU.
cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t from, cudaEvent_t to);

cudaError_t cudaGetDevice(int*);
cudaError_t cudaSetDevice(int);
cudaError_t cudaGetDeviceCount(int*);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp*, int device);
cudaError_t cudaDeviceGetAttribute(int*, cudaDeviceAttr, int device);
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaThreadSynchronize();
cudaError_t cudaDeviceSetLimit(cudaLimit, size_t);
cudaError_t cudaDeviceGetLimit(size_t*, cudaLimit);
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache);
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache*);
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig);
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig*);
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest);
cudaError_t cudaDeviceCanAccessPeer(int*, int device, int peer);
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags);
cudaError_t cudaDeviceDisablePeerAccess(int peer);
cudaError_t cudaDeviceGetPCIBusId(char*, int length, int device);
cudaError_t cudaSetDeviceFlags(unsigned);
cudaError_t cudaGetDeviceFlags(unsigned*);
cudaError_t cudaChooseDevice(int*, const cudaDeviceProp*);
cudaError_t cudaProfilerStart();
cudaError_t cudaProfilerStop();
cudaError_t cudaDeviceReset();
cudaError_t cudaDriverGetVersion(int*);
cudaError_t cudaRuntimeGetVersion(int*);

cudaError_t lab_malloc(void**, size_t bytes);
cudaError_t lab_malloc_pitch(void**, size_t* pitch, size_t width, size_t height);
cudaError_t lab_malloc_managed(void**, size_t bytes);
cudaError_t lab_malloc_async(void**, size_t bytes, cudaStream_t);
/// `symbol`: the variable, which is the device's. `room`: its bytes from there on.
cudaError_t lab_copy_symbol(void* to, const void* from, size_t bytes, const void* symbol, size_t room, cudaMemcpyKind kind,
                            cudaStream_t);
cudaError_t lab_know_symbol(const void* symbol, size_t bytes);
cudaError_t lab_set_shared_limit(const void* kernel, int bytes);
}

// As CUDA 13 has them.
inline cudaError_t cudaMemPrefetchAsync(const void* p, size_t bytes, cudaMemLocation at, unsigned, cudaStream_t stream = nullptr) {
  return cudaMemPrefetchAsync(p, bytes, at.id, stream);
}
inline cudaError_t cudaMemAdvise(const void* p, size_t bytes, cudaMemoryAdvise advice, cudaMemLocation at) {
  return cudaMemAdvise(p, bytes, advice, at.id);
}
inline cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned flags) { return cudaEventCreateWithFlags(event, flags); }

template <class T>
cudaError_t cudaMalloc(T** p, size_t bytes) {
  return lab_malloc(reinterpret_cast<void**>(p), bytes);
}
template <class T>
cudaError_t cudaMallocAsync(T** p, size_t bytes, cudaStream_t stream) {
  return lab_malloc_async(reinterpret_cast<void**>(p), bytes, stream);
}
template <class T>
cudaError_t cudaMallocPitch(T** p, size_t* pitch, size_t width, size_t height) {
  return lab_malloc_pitch(reinterpret_cast<void**>(p), pitch, width, height);
}
/// Kernels may use pinned memory too (unified addressing), so it is like managed memory.
template <class T>
cudaError_t cudaMallocHost(T** p, size_t bytes, unsigned = 0) {
  return lab_malloc_managed(reinterpret_cast<void**>(p), bytes);
}
template <class T>
cudaError_t cudaHostAlloc(T** p, size_t bytes, unsigned) {
  return cudaMallocHost(p, bytes);
}
template <class T>
cudaError_t cudaHostGetDevicePointer(T** p, void* host, unsigned) {
  *reinterpret_cast<void**>(p) = host;
  return cudaSuccess;
}
template <class T>
cudaError_t cudaMallocManaged(T** p, size_t bytes, unsigned = cudaMemAttachGlobal) {
  return lab_malloc_managed(reinterpret_cast<void**>(p), bytes);
}

/// __constant__ and __device__ variables are ordinary variables of the shared object.
template <class T>
cudaError_t cudaMemcpyToSymbolAsync(T& symbol, const void* from, size_t bytes, size_t offset = 0,
                                    cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = nullptr) {
  const size_t room = offset < sizeof(T) ? sizeof(T) - offset : 0;
  static_assert(!std::is_const_v<std::remove_all_extents_t<T>>, "the variable is const, so nothing can be copied to it: take out const");
  return lab_copy_symbol(reinterpret_cast<char*>(const_cast<std::remove_const_t<T>*>(&symbol)) + offset, from, bytes, &symbol, room, kind,
                         stream);
}
template <class T>
cudaError_t cudaMemcpyToSymbol(T& symbol, const void* from, size_t bytes, size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  const cudaError_t error = cudaMemcpyToSymbolAsync(symbol, from, bytes, offset, kind);
  return error ? error : cudaStreamSynchronize(nullptr);
}
template <class T>
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const T& symbol, size_t bytes, size_t offset = 0,
                                      cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = nullptr) {
  const size_t room = offset < sizeof(T) ? sizeof(T) - offset : 0;
  return lab_copy_symbol(to, reinterpret_cast<const char*>(&symbol) + offset, bytes, &symbol, room, kind, stream);
}
template <class T>
cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, size_t bytes, size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  const cudaError_t error = cudaMemcpyFromSymbolAsync(to, symbol, bytes, offset, kind);
  return error ? error : cudaStreamSynchronize(nullptr);
}
template <class T>
cudaError_t cudaGetSymbolAddress(void** p, const T& symbol) {
  const cudaError_t error = lab_know_symbol(&symbol, sizeof symbol);
  if (error == cudaSuccess) *p = const_cast<void*>(static_cast<const void*>(&symbol));
  return error;
}
template <class T>
cudaError_t cudaGetSymbolSize(size_t* bytes, const T&) {
  *bytes = sizeof(T);
  return cudaSuccess;
}
