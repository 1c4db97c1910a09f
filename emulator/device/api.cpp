// The runtime's host functions.
#include "emulator/device/api.h"

#include <cstring>
#include <iterator>
#include <map>

#include "emulator/device/arena.h"
#include "emulator/device/device.h"
#include "emulator/device/diagnostics.h"
#include "emulator/device/options.h"
#include "emulator/device/streams.h"
#include "emulator/device/variables.h"

using lab::emulated::Arena;
using lab::emulated::context_error;
using lab::emulated::is_device_variable;
using lab::emulated::set_error;

namespace {

thread_local std::string why_refused;  // why the current call returns an error, if that is known

/// After the context is lost, every call returns its error.
template <class F>
cudaError_t alive(F body, const void* caller = nullptr) {
  if (context_error() != cudaSuccess) return context_error();
  why_refused.clear();
  const cudaError_t error = body();
  return why_refused.empty() ? set_error(error) : lab::emulated::refuse(error, why_refused, caller);
}

/// Variables whose address the host has asked for, with their sizes. Of others, only the functions for symbols take the name:
/// on a real device, the name of a __device__ variable is no address that a copy or a kernel could use.
std::map<const char*, size_t>& known_symbols() {
  static std::map<const char*, size_t> all;
  return all;
}
thread_local bool copies_symbol = false;

bool is_known_symbol(const void* p) {
  const auto after = known_symbols().upper_bound(static_cast<const char*>(p));
  if (after == known_symbols().begin()) return false;
  const auto& [start, bytes] = *std::prev(after);
  return p < start + bytes;
}

enum class Side { host, device };

/// `what`: "the target of cudaMemcpy"
bool fits(const char* what, const void* p, size_t bytes, Side side) {
  const Arena& arena = Arena::get();
  const auto refuse = [&](const char* why) {
    why_refused = what + std::string(why);
    return false;
  };
  if (p == nullptr) return refuse(" is a null pointer");
  if (side == Side::device && is_device_variable(p))
    return copies_symbol || is_known_symbol(p) ||
           refuse(" is the name of a __device__ variable, which is no pointer there; use cudaMemcpyToSymbol or cudaGetSymbolAddress");
  if (side == Side::device && !arena.holds(p)) return refuse(" is memory of the host, and the direction says device");
  if (side == Side::device || arena.managed(p))
    return arena.inside(p, bytes) || refuse(" is not wholly inside an allocation of the device");
  return !arena.holds(p) || refuse(" is memory of the device, and the direction says host");
}

/// Is it memory of the device? The program says `side`. But managed memory is on both sides, and for cudaMemcpyDefault a __device__
/// variable seems to be on the host's.
bool is_watched(const void* p, Side side, cudaMemcpyKind kind) {
  return side == Side::device || Arena::get().managed(p) ||
         (kind == cudaMemcpyDefault && is_device_variable(p) && (copies_symbol || is_known_symbol(p)));
}

/// On which side each pointer must be. For cudaMemcpyDefault the addresses tell.
cudaError_t sides(const void* to, const void* from, cudaMemcpyKind kind, Side& to_side, Side& from_side) {
  const auto side = [](const void* p) { return Arena::get().holds(p) ? Side::device : Side::host; };
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) {
    why_refused = "the direction of a copy is no cudaMemcpyKind";
    return cudaErrorInvalidMemcpyDirection;
  }
  to_side = kind == cudaMemcpyDefault                                            ? side(to)
            : kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice ? Side::device
                                                                                 : Side::host;
  from_side = kind == cudaMemcpyDefault                                            ? side(from)
              : kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice ? Side::device
                                                                                   : Side::host;
  return cudaSuccess;
}

/// Bytes from the start of a rectangle to its end, or more than any memory has if the number would overflow.
size_t rectangle(size_t pitch, size_t width, size_t height) {
  size_t bytes = 0;
  return __builtin_mul_overflow(pitch, height - 1, &bytes) || __builtin_add_overflow(bytes, width, &bytes)
             ? SIZE_MAX
             : bytes;
}

cudaError_t copy(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                 cudaMemcpyKind kind, cudaStream_t stream, const void* caller) {
  if (const cudaError_t error = lab::emulated::check_stream(stream, caller)) return error;
  return alive([&] {
    if (width == 0 || height == 0) return cudaSuccess;
    if (to_pitch < width || from_pitch < width) {
      why_refused = "a row of a copy is wider than its pitch";
      return cudaErrorInvalidPitchValue;
    }
    Side to_side, from_side;
    if (const cudaError_t error = sides(to, from, kind, to_side, from_side)) return error;
    if (!fits("the target of a copy", to, rectangle(to_pitch, width, height), to_side) ||
        !fits("the source of a copy", from, rectangle(from_pitch, width, height), from_side))
      return cudaErrorInvalidValue;
    const char* const what = !copies_symbol ? "cudaMemcpy" : is_device_variable(to) ? "cudaMemcpyToSymbol" : "cudaMemcpyFromSymbol";
    lab::emulated::enqueue(stream, what, caller);
    for (size_t row = 0; row < height; ++row) {
      char* line = static_cast<char*>(to) + row * to_pitch;
      const char* source = static_cast<const char*>(from) + row * from_pitch;
      std::memmove(line, source, width);
      if (!is_watched(from, from_side, kind)) {
        Arena::get().written(line, width, Arena::Writer::host);
      } else if (is_watched(to, to_side, kind)) {
        Arena::get().copied(line, source, width);
      } else if (!lab::emulated::harness_copies) {
        lab::emulated::host_reads(source, width, caller);
      }
    }
    return cudaSuccess;
  }, caller);
}

cudaError_t fill(void* p, size_t pitch, int byte, size_t width, size_t height, cudaStream_t stream, const void* caller) {
  if (const cudaError_t error = lab::emulated::check_stream(stream, caller)) return error;
  return alive([&] {
    if (width == 0 || height == 0) return cudaSuccess;
    if (pitch < width) {
      why_refused = "a row of cudaMemset is wider than its pitch";
      return cudaErrorInvalidPitchValue;
    }
    if (!fits("the target of cudaMemset", p, rectangle(pitch, width, height), Side::device)) return cudaErrorInvalidValue;
    lab::emulated::enqueue(stream, "cudaMemset", caller);
    for (size_t row = 0; row < height; ++row) {
      char* line = static_cast<char*>(p) + row * pitch;
      std::memset(line, byte, width);
      Arena::get().written(line, width, Arena::Writer::device);
    }
    return cudaSuccess;
  }, caller);
}

cudaError_t wait(cudaStream_t stream, cudaError_t result) {
  lab::emulated::host_waits(stream);
  return result;
}

}  // namespace

extern "C" {

cudaError_t cudaGetLastError() { return lab::emulated::take_error(); }
cudaError_t cudaPeekAtLastError() { return lab::emulated::last_error(); }

const char* cudaGetErrorString(cudaError_t error) {
#define LAB_CASE(name, number, text) \
  case name:                         \
    return text;
  switch (error) {
    LAB_CUDA_ERRORS(LAB_CASE)
    default:
      return "unrecognized error code";
  }
#undef LAB_CASE
}
const char* cudaGetErrorName(cudaError_t error) {
#define LAB_CASE(name, number, text) \
  case name:                         \
    return #name;
  switch (error) {
    LAB_CUDA_ERRORS(LAB_CASE)
    default:
      return "unrecognized error code";
  }
#undef LAB_CASE
}

cudaError_t lab_malloc(void** p, size_t bytes) {
  return alive([&] {
    if (!p) return cudaErrorInvalidValue;
    *p = bytes ? Arena::get().alloc(bytes) : nullptr;
    return *p || !bytes ? cudaSuccess : cudaErrorMemoryAllocation;
  });
}
cudaError_t lab_malloc_async(void** p, size_t bytes, cudaStream_t stream) {
  if (const cudaError_t error = lab::emulated::check_stream(stream, LAB_CALLER)) return error;
  lab::emulated::enqueue(stream, "cudaMallocAsync", LAB_CALLER);
  return lab_malloc(p, bytes);
}
cudaError_t lab_malloc_pitch(void** p, size_t* pitch, size_t width, size_t height) {
  constexpr size_t unit = 512;
  if (!pitch) return set_error(cudaErrorInvalidValue);
  size_t bytes = 0;
  if (width > SIZE_MAX - unit || __builtin_mul_overflow((width + unit - 1) / unit * unit, height, &bytes))
    return set_error(cudaErrorMemoryAllocation);
  *pitch = (width + unit - 1) / unit * unit;
  return lab_malloc(p, bytes);
}
cudaError_t cudaFree(void* p) {
  lab::emulated::host_waits_for_all();
  return alive([&] { return !p || Arena::get().release(p) ? cudaSuccess : cudaErrorInvalidValue; });
}
// In the order of the stream: the host does not wait. Nobody has to wait for it either, so it is not enqueued.
cudaError_t cudaFreeAsync(void* p, cudaStream_t stream) {
  if (const cudaError_t error = lab::emulated::check_stream(stream, LAB_CALLER)) return error;
  return alive([&] { return !p || Arena::get().release(p) ? cudaSuccess : cudaErrorInvalidValue; });
}
cudaError_t cudaFreeHost(void* p) { return cudaFree(p); }
cudaError_t lab_malloc_managed(void** p, size_t bytes) {
  if (const cudaError_t error = lab_malloc(p, bytes)) return error;
  if (*p) Arena::get().manage(*p);
  return cudaSuccess;
}

cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                         size_t height, cudaMemcpyKind kind) {
  return wait(nullptr, copy(to, to_pitch, from, from_pitch, width, height, kind, nullptr, LAB_CALLER));
}
cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                              size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return copy(to, to_pitch, from, from_pitch, width, height, kind, stream, LAB_CALLER);
}
cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return wait(nullptr, copy(to, bytes, from, bytes, bytes, 1, kind, nullptr, LAB_CALLER));
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return copy(to, bytes, from, bytes, bytes, 1, kind, stream, LAB_CALLER);
}
cudaError_t lab_copy_symbol(void* to, const void* from, size_t bytes, const void* symbol, size_t room, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  if (!is_device_variable(symbol)) return set_error(cudaErrorInvalidSymbol);
  if (bytes > room) return lab::emulated::refuse(cudaErrorInvalidValue, "the copy is larger than the variable", LAB_CALLER);
  copies_symbol = true;
  const cudaError_t error = copy(to, bytes, from, bytes, bytes, 1, kind, stream, LAB_CALLER);
  copies_symbol = false;
  return error;
}
cudaError_t lab_know_symbol(const void* symbol, size_t bytes) {
  if (!is_device_variable(symbol)) return set_error(cudaErrorInvalidSymbol);
  known_symbols()[static_cast<const char*>(symbol)] = bytes;
  return cudaSuccess;
}
cudaError_t cudaMemset2D(void* p, size_t pitch, int byte, size_t width, size_t height) {
  return fill(p, pitch, byte, width, height, nullptr, LAB_CALLER);
}
cudaError_t cudaMemset(void* p, int byte, size_t bytes) { return fill(p, bytes, byte, bytes, 1, nullptr, LAB_CALLER); }
cudaError_t cudaMemsetAsync(void* p, int byte, size_t bytes, cudaStream_t stream) {
  return fill(p, bytes, byte, bytes, 1, stream, LAB_CALLER);
}
cudaError_t cudaMemset2DAsync(void* p, size_t pitch, int byte, size_t width, size_t height, cudaStream_t stream) {
  return fill(p, pitch, byte, width, height, stream, LAB_CALLER);
}
cudaError_t cudaMemcpyPeer(void* to, int, const void* from, int, size_t bytes) {
  return cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToDevice);
}
cudaError_t cudaMemcpyPeerAsync(void* to, int, const void* from, int, size_t bytes, cudaStream_t stream) {
  return copy(to, bytes, from, bytes, bytes, 1, cudaMemcpyDeviceToDevice, stream, LAB_CALLER);
}
cudaError_t cudaHostRegister(void*, size_t, unsigned) { return context_error(); }
cudaError_t cudaHostUnregister(void*) { return context_error(); }
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* out, const void* p) {
  const Arena& arena = Arena::get();
  void* const address = const_cast<void*>(p);
  *out = {cudaMemoryTypeUnregistered, 0, nullptr, address};
  if (arena.holds(p)) *out = {cudaMemoryTypeDevice, 0, address, nullptr};
  if (arena.managed(p)) *out = {cudaMemoryTypeManaged, 0, address, address};
  return cudaSuccess;
}
cudaError_t cudaMemPrefetchAsync(const void*, size_t, int, cudaStream_t) { return context_error(); }
cudaError_t cudaMemAdvise(const void*, size_t, cudaMemoryAdvise, int) { return context_error(); }
cudaError_t cudaStreamAttachMemAsync(cudaStream_t, void*, size_t, unsigned) { return context_error(); }
cudaError_t cudaMemGetInfo(size_t* free_bytes, size_t* total_bytes) {
  *free_bytes = Arena::get().free_bytes();
  *total_bytes = Arena::get().total_bytes();
  return cudaSuccess;
}

cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
  return device == 0 ? cudaSuccess : set_error(cudaErrorInvalidDevice);
}
cudaError_t cudaGetDeviceCount(int* count) {
  *count = 1;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* p, int device) {
  using namespace lab::emulated;
  if (device != 0) return set_error(cudaErrorInvalidDevice);
  *p = {};
  std::snprintf(p->name, sizeof p->name, "emulated device");
  p->totalGlobalMem = Arena::get().total_bytes();
  p->sharedMemPerBlock = static_shared_bytes;
  p->sharedMemPerBlockOptin = shared_bytes_opt_in;
  p->sharedMemPerMultiprocessor = shared_bytes_opt_in + 1024;
  p->totalConstMem = constant_bytes;
  p->regsPerBlock = p->regsPerMultiprocessor = 65536;
  p->warpSize = options().lanes;
  p->maxThreadsPerBlock = max_threads_per_block;
  p->maxThreadsDim[0] = max_block_x;
  p->maxThreadsDim[1] = max_block_y;
  p->maxThreadsDim[2] = max_block_z;
  p->maxGridSize[0] = max_grid_x;
  p->maxGridSize[1] = max_grid_y;
  p->maxGridSize[2] = max_grid_z;
  p->major = 9;
  p->multiProcessorCount = options().processors;
  p->maxThreadsPerMultiProcessor = 2048;
  p->maxBlocksPerMultiProcessor = 32;
  p->concurrentKernels = p->unifiedAddressing = p->managedMemory = p->concurrentManagedAccess = 1;
  p->cooperativeLaunch = p->canMapHostMemory = p->asyncEngineCount = p->streamPrioritiesSupported = 1;
  p->memPitch = 2147483647;
  p->textureAlignment = 512;
  p->reservedSharedMemPerBlock = 1024;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  cudaDeviceProp p;
  if (const cudaError_t error = cudaGetDeviceProperties(&p, device)) return error;
#define LAB_CASE(name, number, field) \
  case name:                          \
    return *value = static_cast<int>(p.field), cudaSuccess;
  switch (attribute) { LAB_DEVICE_ATTRIBUTES(LAB_CASE) }
#undef LAB_CASE
  return set_error(cudaErrorInvalidValue);
}
cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }
cudaError_t cudaDeviceSetLimit(cudaLimit, size_t) { return context_error(); }
cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
  return *value = limit == cudaLimitStackSize ? 64 << 10 : limit == cudaLimitMallocHeapSize ? 8 << 20 : 1 << 20, cudaSuccess;
}
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return context_error(); }
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* value) { return *value = cudaFuncCachePreferNone, cudaSuccess; }
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) { return context_error(); }
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* value) {
  return *value = cudaSharedMemBankSizeFourByte, cudaSuccess;
}
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) { return *least = *greatest = 0, cudaSuccess; }
cudaError_t cudaDeviceCanAccessPeer(int* can, int, int) { return *can = 0, cudaSuccess; }
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) { return set_error(cudaErrorInvalidDevice); }
cudaError_t cudaDeviceDisablePeerAccess(int) { return set_error(cudaErrorInvalidDevice); }
cudaError_t cudaDeviceGetPCIBusId(char* id, int length, int) {
  std::snprintf(id, static_cast<size_t>(length), "0000:00:00.0");
  return cudaSuccess;
}
cudaError_t cudaSetDeviceFlags(unsigned) { return cudaSuccess; }
cudaError_t cudaGetDeviceFlags(unsigned* flags) { return *flags = 0, cudaSuccess; }
cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp*) { return *device = 0, cudaSuccess; }
cudaError_t cudaProfilerStart() { return cudaSuccess; }
cudaError_t cudaProfilerStop() { return cudaSuccess; }
cudaError_t cudaDeviceReset() { return context_error(); }
cudaError_t cudaDriverGetVersion(int* version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* version) { return cudaDriverGetVersion(version); }

}  // extern "C"
