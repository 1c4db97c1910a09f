// Measures the limits of the current GPU: the multiply-add rate on registers per type (for f64 on tensor cores where
// they are faster, because libraries use them), and the copy bandwidth of device memory. It is not linked into the
// harness: a run builds it for the machine's GPU as a shared object, which a worker loads.
#include <algorithm>
#include <cstdio>
#include <cstring>

#include "lab/abi.h"
#include "lab/gpu.h"
#include "device/probe.h"

namespace {

constexpr int kThreads = 256;
constexpr int kChains = 8;                      // independent multiply-adds of a thread
constexpr int kLaps = 5;                        // the best counts
constexpr double kLapMs = 5;                    // much longer than a launch
constexpr double kWarmUpMs = 60;                // an idle device has low clocks
constexpr size_t kCopyBytes = size_t{1} << 30;  // far more than any L2

// x <- x * scale + shift tends to 1; the comparison at the end keeps the work and is never true.
template <class T>
__global__ void multiply_add(T* out, T scale, T shift, int steps) {
  T chain[kChains];
#pragma unroll
  for (int i = 0; i < kChains; ++i) chain[i] = T(threadIdx.x + i) / T(kThreads);
#pragma unroll 16
  for (int s = 0; s < steps; ++s) {
#pragma unroll
    for (int i = 0; i < kChains; ++i) chain[i] = fma(chain[i], scale, shift);
  }
  T sum = 0;
#pragma unroll
  for (int i = 0; i < kChains; ++i) sum += chain[i];
  if (sum == T(-1)) *out = sum;
}

#if defined(__CUDACC__) && !defined(LAB_EMULATED)
#define LAB_MATRICES_F64
// c <- a b + c on tensor cores, which do f64 from compute capability 8.0 on; from 9.0 on only the large shape
// reaches their full rate (PTX ISA, mma.m16n8k16 and mma.m8n8k4 with .f64).
__global__ void multiply_matrices(double* out, int steps) {
  double sum = 0;
#if __CUDA_ARCH__ >= 900
  double c[kChains][4] = {};
  const double a = 0.5, b = 1.0 / kThreads;
  for (int s = 0; s < steps; ++s) {
#pragma unroll
    for (auto& d : c)
      asm volatile(
          "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%4,%4,%4,%4,%4,%4,%4}, "
          "{%5,%5,%5,%5}, {%0,%1,%2,%3};"
          : "+d"(d[0]), "+d"(d[1]), "+d"(d[2]), "+d"(d[3])
          : "d"(a), "d"(b));
  }
#pragma unroll
  for (auto& d : c) sum += d[0] + d[1] + d[2] + d[3];
#elif __CUDA_ARCH__ >= 800
  double c[kChains][2] = {};
  const double a = 0.5, b = 1.0 / kThreads;
  for (int s = 0; s < steps; ++s) {
#pragma unroll
    for (auto& d : c)
      asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
                   : "+d"(d[0]), "+d"(d[1])
                   : "d"(a), "d"(b));
  }
#pragma unroll
  for (auto& d : c) sum += d[0] + d[1];
#endif
  if (sum == -1) *out = sum;
}
#endif

// Four loads of 16 bytes in flight for each thread.
__global__ void copy(float4* to, const float4* from) {
  const size_t first = size_t{blockIdx.x} * (4 * kThreads) + threadIdx.x;
  float4 line[4];
#pragma unroll
  for (int i = 0; i < 4; ++i) line[i] = from[first + i * kThreads];
#pragma unroll
  for (int i = 0; i < 4; ++i) to[first + i * kThreads] = line[i];
}

/// Keeps the first failure and skips everything after it.
class Probe {
 public:
  explicit Probe(lab_probe_result* result) : result_(result) {
    check("make an event", cudaEventCreate(&start_));
    check("make an event", cudaEventCreate(&stop_));
  }
  ~Probe() {
    cudaEventDestroy(start_);
    cudaEventDestroy(stop_);
  }

  bool ok() const { return result_->error[0] == 0; }

  bool check(const char* what, cudaError_t status) {
    if (status != cudaSuccess && ok())
      std::snprintf(result_->error, sizeof result_->error, "cannot %s: %s", what, cudaGetErrorString(status));
    return ok();
  }

  /// Time of one launch; 0 after a failure.
  template <class Launch>
  double milliseconds(const Launch& launch) {
    if (!ok()) return 0;
    check("record an event", cudaEventRecord(start_));
    launch();
    check("launch a kernel", cudaGetLastError());
    check("record an event", cudaEventRecord(stop_));
    check("run a kernel", cudaEventSynchronize(stop_));
    float ms = 0;
    check("read an event", cudaEventElapsedTime(&ms, start_, stop_));
    return ok() ? ms : 0;
  }

  template <class Launch>
  double best_milliseconds(const Launch& launch) {
    double warm_up = 0, best = 0;
    while (ok() && warm_up < kWarmUpMs) warm_up += std::max(0.01, milliseconds(launch));
    for (int lap = 0; lap < kLaps; ++lap) {
      const double ms = milliseconds(launch);
      if (lap == 0 || ms < best) best = ms;
    }
    return best;
  }

 private:
  lab_probe_result* result_;
  cudaEvent_t start_ = nullptr, stop_ = nullptr;
};

/// Operations per second of a launch(steps) that does `each` multiply-adds per step; one multiply-add is two operations.
template <class Launch>
double rate(Probe& probe, double each, const Launch& launch) {
  // On some devices types differ by a factor of 64, so a short lap decides how many steps a lap has.
  constexpr int kShort = 2048;
  probe.milliseconds(launch(kShort));
  const double short_ms = probe.milliseconds(launch(kShort));
  const int steps = static_cast<int>(kShort * std::clamp(kLapMs / std::max(short_ms, 1e-3), 1.0, 1000.0));
  const double ms = probe.best_milliseconds(launch(steps));
  return ms > 0 ? 2.0 * each * steps / (ms * 1e-3) : 0;
}

template <class T>
double fma_rate(Probe& probe, int blocks) {
  T* out = nullptr;  // never written
  return rate(probe, double{kChains} * kThreads * blocks, [=](int steps) {
    return [=] { multiply_add<T><<<blocks, kThreads>>>(out, T(0.9990234375), T(0.0009765625), steps); };
  });
}

double matrix_rate_f64([[maybe_unused]] Probe& probe, [[maybe_unused]] int blocks, [[maybe_unused]] int device) {
#ifndef LAB_MATRICES_F64
  return 0;
#else
  int major = 0;
  probe.check("ask the device", cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
  if (major < 8) return 0;
  double* out = nullptr;                                     // never written
  const double each = major >= 9 ? 16 * 8 * 16 : 8 * 8 * 4;  // multiply-adds of an instruction
  return rate(probe, each * kChains * (kThreads / 32) * blocks,
              [=](int steps) { return [=] { multiply_matrices<<<blocks, kThreads>>>(out, steps); }; });
#endif
}

double copy_rate(Probe& probe) {
  size_t free_bytes = 0, total = 0;
  if (!probe.check("ask for free memory", cudaMemGetInfo(&free_bytes, &total))) return 0;
  constexpr size_t kBlockBytes = 4 * kThreads * sizeof(float4);
  const size_t bytes = std::min(kCopyBytes, free_bytes / 4) / kBlockBytes * kBlockBytes;
  float4 *from = nullptr, *to = nullptr;
  double ms = 0;
  if (probe.check("allocate device memory", cudaMalloc(&from, bytes)) &&
      probe.check("allocate device memory", cudaMalloc(&to, bytes)) &&
      probe.check("fill device memory", cudaMemset(from, 1, bytes)))
    ms = probe.best_milliseconds(
        [&] { copy<<<static_cast<unsigned>(bytes / kBlockBytes), kThreads>>>(to, from); });
  cudaFree(from);
  cudaFree(to);
  return ms > 0 ? 2.0 * static_cast<double>(bytes) / (ms * 1e-3) : 0;
}

}  // namespace

LAB_EXPORT int lab_probe(lab_probe_result* result) {
  std::memset(result, 0, sizeof *result);
  int device = 0, multiprocessors = 0, resident = 0;
  Probe probe(result);
  probe.check("find the device", cudaGetDevice(&device));
  probe.check("ask the device",
              cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  probe.check("ask the device",
              cudaDeviceGetAttribute(&resident, cudaDevAttrMaxThreadsPerMultiProcessor, device));
  if (!probe.ok()) return 1;
  const int blocks = multiprocessors * std::max(1, resident / kThreads);  // fills every multiprocessor once
  result->fma_f32 = fma_rate<float>(probe, blocks);
  result->fma_f64 = std::max(fma_rate<double>(probe, blocks), matrix_rate_f64(probe, blocks, device));
  result->copy_bytes_per_s = copy_rate(probe);
  return probe.ok() ? 0 : 1;
}
