// Runs one GEMM variant's shared object once, outside the harness: small, so that a profiler or a sanitizer sees the
// kernel and little else. For the emulated device and for a real one.
//   drive variant.so m n k      prints "call_ms X", "wrong N", and a line for each finding of the emulated device
#include <dlfcn.h>

#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "lab/abi.h"

namespace {

struct Problem {
  int64_t m, n, k, lda, ldb, ldc;
  double alpha, beta;
};

std::vector<float> small_integers(int64_t count) {
  std::vector<float> all(static_cast<size_t>(count));
  uint32_t state = 1;
  for (float& x : all) x = static_cast<float>((state = state * 1664525u + 1013904223u) >> 29) - 3;
  return all;
}

int fail(const char* what) {
  std::printf("error %s\n", what);
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) return fail("usage: drive variant.so m n k");
  void* object = dlopen(argv[1], RTLD_NOW);
  if (!object) return fail(dlerror());
  const auto* device = static_cast<const lab_device_ops*>(dlsym(object, "lab_device"));
  const auto call = reinterpret_cast<lab_gpu_entry>(dlsym(object, "lab_gpu_gemm_f32"));
  const auto space = reinterpret_cast<lab_workspace_entry>(dlsym(object, "lab_workspace_gemm_f32"));
  lab_device_info info;
  if (!device || !call || device->open(0, &info) != 0) return fail("no device or no entry");
  const int64_t m = std::atoll(argv[2]), n = std::atoll(argv[3]), k = std::atoll(argv[4]);
  const Problem problem{m, n, k, k, n, n, 1, 0};
  const auto a = small_integers(m * k), b = small_integers(k * n);
  std::vector<float> c(static_cast<size_t>(m * n), 0.0f);
  void* buffers[3];
  const std::vector<float>* host[3] = {&a, &b, &c};
  for (int i = 0; i < 3; ++i) {
    const size_t bytes = host[i]->size() * sizeof(float);
    if (!(buffers[i] = device->alloc(bytes)) || device->copy_in(buffers[i], host[i]->data(), bytes) != 0)
      return fail(device->error());
    if (device->restrict_to) device->restrict_to(buffers[i], 0, bytes, i == 2);
  }
  void* workspace = space ? device->alloc(space(&problem)) : nullptr;
  const auto start = std::chrono::steady_clock::now();
  const int outcome = call(&problem, buffers, workspace, device->stream());
  if (outcome != 0) std::printf("outcome %d\n", outcome);
  if (device->sync() != 0) std::printf("error %s\n", device->error());
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
  std::printf("call_ms %.2f\n", took.count());
  int wrong = -1;
  if (device->copy_out(c.data(), buffers[2], c.size() * sizeof(float)) == 0) {
    wrong = 0;
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j) {
        float sum = 0;
        for (int64_t p = 0; p < k; ++p) sum += a[static_cast<size_t>(i * k + p)] * b[static_cast<size_t>(p * n + j)];
        wrong += sum != c[static_cast<size_t>(i * n + j)];
      }
  }
  std::printf("wrong %d\n", wrong);
  static lab_finding found[LAB_MAX_FINDINGS];
  const int count = device->findings ? device->findings(found, LAB_MAX_FINDINGS) : 0;
  for (int i = 0; i < count; ++i) {
    const lab_finding& f = found[i];
    std::printf("finding %u 0x%" PRIx64 " 0x%" PRIx64 " access %u bytes %u count %" PRId64 " have %" PRId64
                " ideal %" PRId64 "\n",
                f.kind, f.place.code, f.other.code, f.place.access, f.bytes, f.count, f.have, f.ideal);
  }
  return 0;
}
