// The device operations (lab_device_ops of abi.h) for CUDA, and through hip_names.h for HIP. They are linked
// into the shared object of every GPU variant.
//
// One thread calls all of them, and there is one stream. It is an ordinary ("blocking") stream, so a kernel
// that a student launches on the default stream by mistake still runs between our events and is timed. The
// events do not see a stream that a variant creates, but sync() waits for it, and the harness compares the
// events with its own clock.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <iterator>

#include "lab/abi.h"
#include "device/device_facts.h"
#include "device/fingerprint.h"
#include "lab/gpu.h"
#include "device/refresh.h"

extern "C" __attribute__((visibility("default"))) const lab_device_ops lab_device;

namespace {

cudaStream_t the_stream;
cudaEvent_t events[2];
cudaEvent_t all_done;  // of the stream
uint64_t* fingerprints[std::size(lab::fingerprint_widths)];  // one buffer a level
void* flush_buffer;
size_t flush_bytes;
bool l2_can_persist;
cudaError_t last_error = cudaSuccess;

/// Keeps the error for error() and clears it in the runtime, so that sync() does not report it again.
int failed(cudaError_t e) {
  if (e == cudaSuccess) return 0;
  last_error = e;
  (void)cudaGetLastError();
  return 1;
}

void describe(const cudaDeviceProp& p, lab_device_info& info) {
  info = {};
  info.multiprocessors = p.multiProcessorCount;
  info.warp_size = p.warpSize;
  info.max_threads_per_block = p.maxThreadsPerBlock;
  info.max_threads_per_multiprocessor = p.maxThreadsPerMultiProcessor;
  info.registers_per_block = p.regsPerBlock;
  for (int i = 0; i < 3; ++i) info.max_grid[i] = p.maxGridSize[i];
  info.l2_bytes = p.l2CacheSize;
  lab::describe_shared_memory(p, info);
}

void* alloc(size_t bytes) {
  void* p = nullptr;
  return failed(cudaMalloc(&p, bytes > 0 ? bytes : 1)) ? nullptr : p;  // cudaMalloc(0) would return null
}

int open(int device, lab_device_info* info) {
  cudaDeviceProp properties;
  if (failed(cudaSetDevice(device)) || failed(cudaGetDeviceProperties(&properties, device))) return 1;
  describe(properties, *info);
  flush_bytes = 2 * static_cast<size_t>(properties.l2CacheSize);
  l2_can_persist = lab::keeps_lines_in_l2(properties);
  if (the_stream) return 0;
  for (size_t i = 0; i < std::size(fingerprints); ++i)
    if (!(fingerprints[i] = static_cast<uint64_t*>(alloc(lab::fingerprint_widths[i] * sizeof(uint64_t))))) return 1;
  for (cudaEvent_t& event : events)
    if (failed(cudaEventCreate(&event))) return 1;
  if (failed(cudaEventCreateWithFlags(&all_done, cudaEventBlockingSync | cudaEventDisableTiming))) return 1;
  return failed(cudaStreamCreate(&the_stream));
}

int release(void* p) { return failed(cudaFree(p)); }

/// cudaMemcpy may return before all of a pageable host buffer has been copied, so wait for the stream.
int copy_and_wait(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return failed(cudaMemcpyAsync(to, from, bytes, kind, the_stream)) ||
         failed(cudaStreamSynchronize(the_stream));
}

int copy_in(void* to, const void* from, size_t bytes) {
  return copy_and_wait(to, from, bytes, cudaMemcpyHostToDevice);
}

int copy_out(void* to, const void* from, size_t bytes) {
  return copy_and_wait(to, from, bytes, cudaMemcpyDeviceToHost);
}

int fill(void* p, int byte, size_t bytes) { return failed(cudaMemsetAsync(p, byte, bytes, the_stream)); }

void* stream() { return the_stream; }

template <class T>
__global__ void refresh_all(T* data, int64_t count, uint64_t key) {
  const int64_t step = int64_t{gridDim.x} * blockDim.x;
  for (int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step)
    lab::refresh_element(data[i], key, i);
}
template <class T>
__global__ void poison_all(T* data, int64_t count) {
  const int64_t step = int64_t{gridDim.x} * blockDim.x;
  for (int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step)
    lab::poison_element(data[i]);
}

template <class T>
__global__ void touch_some(T* data, int64_t count, uint64_t key) {
  if (threadIdx.x < lab::touched(count)) lab::touch_element(data, count, key, threadIdx.x);
}

template <class Word>
__global__ void fingerprint_level(const Word* words, int64_t count, uint64_t* values, int64_t width) {
  const int64_t i = int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < width) values[i] = lab::fingerprint_value(words, count, i, width);
}

constexpr unsigned threads = 256;

/// Calls f with a null pointer to the type of elements of so many bytes, and one to the words of their bits.
template <class F>
void with_element(int bytes, const F& f) {
  if (bytes == 2)
    f(static_cast<bf16*>(nullptr), static_cast<uint16_t*>(nullptr));
  else if (bytes == 4)
    f(static_cast<float*>(nullptr), static_cast<uint32_t*>(nullptr));
  else
    f(static_cast<double*>(nullptr), static_cast<uint64_t*>(nullptr));
}

int refresh(void* data, int64_t count, int element_bytes, uint64_t key) {
  const dim3 blocks = lab::grid_along_x(count, threads);
  with_element(element_bytes, [&](auto* type, auto*) {
    refresh_all<<<blocks, threads, 0, the_stream>>>(static_cast<decltype(type)>(data), count, key);
  });
  return failed(cudaGetLastError());
}

/// One block with as many threads as elements may be changed.
int touch(void* data, int64_t count, int element_bytes, uint64_t key) {
  with_element(element_bytes, [&](auto* type, auto*) {
    touch_some<<<1, threads, 0, the_stream>>>(static_cast<decltype(type)>(data), count, key);
  });
  return failed(cudaGetLastError());
}

int poison(void* data, int64_t count, int element_bytes) {
  const dim3 blocks = lab::grid_along_x(count, threads);
  with_element(element_bytes, [&](auto* type, auto*) {
    poison_all<<<blocks, threads, 0, the_stream>>>(static_cast<decltype(type)>(data), count);
  });
  return failed(cudaGetLastError());
}

/// The runtime's own waiting never sleeps. On a machine without a free core the system then gives the core to others just
/// when a long kernel ends, and the reply comes some milliseconds late. A thread that slept is continued at once.
int wait_for_stream() {
  constexpr std::chrono::milliseconds polled{1};
  if (failed(cudaEventRecord(all_done, the_stream))) return 1;
  const auto began = std::chrono::steady_clock::now();
  while (std::chrono::steady_clock::now() - began < polled) {
    const cudaError_t found = cudaEventQuery(all_done);
    if (found != cudaErrorNotReady) return failed(found);
    (void)cudaGetLastError();  // "not ready" is no error
  }
  return failed(cudaEventSynchronize(all_done));
}

int fingerprint(const void* data, int64_t count, int element_bytes, uint64_t* result) {
  for (size_t i = 0; i < std::size(fingerprints); ++i) {
    const int64_t width = lab::fingerprint_widths[i];
    const dim3 blocks = lab::grid_along_x(width, threads);
    if (i > 0)
      fingerprint_level<<<blocks, threads, 0, the_stream>>>(fingerprints[i - 1], lab::fingerprint_widths[i - 1],
                                                            fingerprints[i], width);
    else
      with_element(element_bytes, [&](auto*, auto* word) {
        fingerprint_level<<<blocks, threads, 0, the_stream>>>(static_cast<decltype(word)>(const_cast<void*>(data)), count,
                                                              fingerprints[i], width);
      });
    if (failed(cudaGetLastError())) return 1;
  }
  if (wait_for_stream()) return 1;
  const uint64_t* top = fingerprints[std::size(fingerprints) - 1];
  return failed(cudaMemcpyAsync(result, top, sizeof *result, cudaMemcpyDeviceToHost, the_stream));
}

/// Writes twice the size of L2, so that no inputs stay there. Lines that a variant marked as persisting would
/// stay, so this first removes the mark (at once, not in stream order, because nothing on the device waits
/// for it).
int flush_l2() {
  if (flush_bytes == 0) return 0;
  if (!flush_buffer && !(flush_buffer = alloc(flush_bytes))) return 1;
  if (l2_can_persist && failed(lab::let_go_of_l2())) return 1;
  return fill(flush_buffer, 0, flush_bytes);
}

int mark(int event) { return failed(cudaEventRecord(events[event], the_stream)); }

double between_ms() {
  float ms = 0;
  return failed(cudaEventElapsedTime(&ms, events[0], events[1])) ? NAN : ms;
}

int sync() {
  const cudaError_t ran = cudaDeviceSynchronize();
  const cudaError_t launched = cudaGetLastError();  // a launch that the runtime refused
  return failed(ran != cudaSuccess ? ran : launched);
}

const char* error() {
  static char text[256];
  std::snprintf(text, sizeof text, "%s (%s)", cudaGetErrorString(last_error), cudaGetErrorName(last_error));
  return text;
}

int out_of_memory() { return last_error == cudaErrorMemoryAllocation; }

}  // namespace

#if !defined(__HIP_DEVICE_COMPILE__)  // hipcc would put a copy of this table of host functions on the device
const lab_device_ops lab_device = {
    .abi = LAB_ABI_VERSION,
    .open = open,
    .alloc = alloc,
    .release = release,
    .copy_in = copy_in,
    .copy_out = copy_out,
    .stream = stream,
    .refresh = refresh,
    .touch = touch,
    .poison = poison,
    .fingerprint = fingerprint,
    .flush_l2 = flush_l2,
    .mark = mark,
    .between_ms = between_ms,
    .sync = sync,
    .error = error,
    .out_of_memory = out_of_memory,
    .restrict_to = nullptr,
    .diagnostics = nullptr,
};
#endif
