// The device glue for the emulated device: lab_device_ops of abi.h.
#include <algorithm>
#include <cstdio>
#include <cstring>

#include "lab/abi.h"
#include "emulator/device/api.h"
#include "emulator/device/arena.h"
#include "emulator/device/device.h"
#include "emulator/device/diagnostics.h"
#include "emulator/device/options.h"
#include "emulator/device/streams.h"
#include "device/refresh_host.h"

extern "C" __attribute__((visibility("default"))) const lab_device_ops lab_device;

namespace {

using lab::emulated::Arena;

cudaError_t last = cudaSuccess;
cudaEvent_t events[2];

int failed(cudaError_t error) {
  if (error == cudaSuccess) return 0;
  last = error;
  lab::emulated::take_error();
  return 1;
}

int open(int, lab_device_info* info) {
  cudaDeviceProp p;
  if (failed(cudaGetDeviceProperties(&p, 0))) return 1;
  *info = {};
  info->multiprocessors = p.multiProcessorCount;
  info->warp_size = p.warpSize;
  info->max_threads_per_block = p.maxThreadsPerBlock;
  info->max_threads_per_multiprocessor = p.maxThreadsPerMultiProcessor;
  info->registers_per_block = p.regsPerBlock;
  std::copy_n(p.maxGridSize, 3, info->max_grid);
  info->shared_memory_per_block = static_cast<int64_t>(p.sharedMemPerBlockOptin);
  info->shared_memory_per_multiprocessor = static_cast<int64_t>(p.sharedMemPerMultiprocessor);
  return 0;
}

void* alloc(size_t bytes) {
  void* p = nullptr;
  return failed(cudaMalloc(&p, bytes > 0 ? bytes : 1)) ? nullptr : p;
}
int release(void* p) { return failed(cudaFree(p)); }
int copy_in(void* to, const void* from, size_t bytes) {
  if (failed(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice))) return 1;
  Arena::get().note_loaded(to);
  return 0;
}
int copy_out(void* to, const void* from, size_t bytes) {
  if (Arena::get().changed_by_host(from)) {
    lab_diagnostic f = {};
    f.kind = lab_result_of_host;
    f.count = 1;
    lab::emulated::Diagnostics::get().add(f, "");
  }
  lab::emulated::harness_copies = true;
  const int result = failed(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost));
  lab::emulated::harness_copies = false;
  return result;
}
void* stream() {
  static cudaStream_t the_stream = nullptr;
  if (!the_stream) cudaStreamCreate(&the_stream);
  return the_stream;
}
// Not done by kernels, because the accesses of the harness itself must not be counted.
int refresh(void* data, int64_t count, int element_bytes, uint64_t key) {
  const auto bytes = static_cast<size_t>(count * element_bytes);
  if (!Arena::get().inside(data, bytes)) return failed(cudaErrorInvalidValue);
  lab::refresh(data, 0, count, element_bytes, key);
  Arena::get().initialise(data, bytes);
  Arena::get().note_drawn(data, bytes);
  return 0;
}
int touch(void* data, int64_t count, int element_bytes, uint64_t key) {
  const auto bytes = static_cast<size_t>(count * element_bytes);
  if (!Arena::get().inside(data, bytes)) return failed(cudaErrorInvalidValue);
  lab::touch(data, count, element_bytes, key);
  Arena::get().note_drawn(data, bytes);
  return 0;
}
int poison(void* data, int64_t count, int element_bytes) {
  const auto bytes = static_cast<size_t>(count * element_bytes);
  if (!Arena::get().inside(data, bytes)) return failed(cudaErrorInvalidValue);
  lab::poison(data, count, element_bytes);
  Arena::get().note_drawn(data, bytes);
  return 0;
}
int fingerprint(const void* data, int64_t count, int element_bytes, uint64_t* result) {
  if (!Arena::get().inside(data, static_cast<size_t>(count * element_bytes))) return failed(cudaErrorInvalidValue);
  *result = lab::fingerprint(data, count, element_bytes);
  return 0;
}
int flush_l2() { return 0; }

int mark(int event) {
  if (!events[event] && failed(cudaEventCreate(&events[event]))) return 1;
  return failed(cudaEventRecord(events[event]));
}
double between_ms() {
  float ms = 0;
  return failed(cudaEventElapsedTime(&ms, events[0], events[1])) ? NAN : ms;
}
int sync() {
  lab::emulated::report_unordered_work(static_cast<cudaStream_t>(stream()));
  const cudaError_t ran = cudaDeviceSynchronize();
  return failed(ran != cudaSuccess ? ran : cudaGetLastError());
}

const char* error() {
  static char text[256];
  const bool lost = lab::emulated::context_error() != cudaSuccess;
  const std::string& where = lost ? lab::emulated::lost_where() : lab::emulated::error_detail();
  std::snprintf(text, sizeof text, "%s (%s)%s%s", cudaGetErrorString(last), cudaGetErrorName(last),
                where.empty() ? "" : ": ", where.c_str());
  return text;
}
int out_of_memory() { return last == cudaErrorMemoryAllocation; }

int restrict_to(void* p, size_t offset, size_t bytes, int writable, int buffer) {
  return Arena::get().restrict_to(p, offset, bytes, writable != 0, buffer) ? 0 : failed(cudaErrorInvalidValue);
}
int diagnostics(lab_diagnostic* out, int most) {
  int count = 0;
  for (const lab_diagnostic& f : lab::emulated::Diagnostics::get().take()) {
    if (count == most) break;
    out[count++] = f;
  }
  return count;
}

}  // namespace

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
    .configure = lab::emulated::configure,
    .restrict_to = restrict_to,
    .diagnostics = diagnostics,
};
