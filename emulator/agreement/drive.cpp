// Runs the shared object of one GEMM or convolution variant once, without the harness, so that a profiler or
// a sanitizer sees little more than the kernel. Works with the emulated device and with a real one.
//   drive variant.so m n k      prints "call_ms X", "wrong N", and a line for each diagnostic of the emulated
//   device
#include <dlfcn.h>

#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "lab/abi.h"

namespace {

struct Gemm {
  int64_t m, n, k, lda, ldb, ldc;
  double alpha, beta;
};
struct Conv2d {
  int64_t batch, channels, height, width, filters, filter_height, filter_width, stride, padding;
};

/// The arguments of a kernel and the expected output.
struct Call {
  const char* kernel;
  const void* problem;
  int64_t inputs[2], outputs;  // elements
  float (*expected)(const void* problem, const float* a, const float* b, int64_t i);
};

float product(const void* problem, const float* a, const float* b, int64_t i) {
  const Gemm& g = *static_cast<const Gemm*>(problem);
  float sum = 0;
  for (int64_t p = 0; p < g.k; ++p) sum += a[i / g.n * g.k + p] * b[p * g.n + i % g.n];
  return sum;
}

// 3 x 3, stride 1, padding 1, one image.
float convolution(const void* problem, const float* a, const float* b, int64_t i) {
  const Conv2d& c = *static_cast<const Conv2d*>(problem);
  const int64_t x = i % c.width, y = i / c.width % c.height, f = i / c.width / c.height;
  float sum = 0;
  for (int64_t channel = 0; channel < c.channels; ++channel)
    for (int64_t r = 0; r < 3; ++r)
      for (int64_t s = 0; s < 3; ++s) {
        const int64_t row = y + r - 1, column = x + s - 1;
        if (row < 0 || column < 0 || row >= c.height || column >= c.width) continue;
        sum += b[((f * c.channels + channel) * 3 + r) * 3 + s] * a[(channel * c.height + row) * c.width + column];
      }
  return sum;
}

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

template <class T>
T symbol(void* object, const char* prefix, const char* kernel) {
  char name[96];
  std::snprintf(name, sizeof name, "%s%s_f32", prefix, kernel);
  return reinterpret_cast<T>(dlsym(object, name));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) return fail("usage: drive variant.so m n k, or height width channels");
  void* object = dlopen(argv[1], RTLD_NOW);
  if (!object) return fail(dlerror());
  const int64_t m = std::atoll(argv[2]), n = std::atoll(argv[3]), k = std::atoll(argv[4]);
  const Gemm gemm{m, n, k, k, n, n, 1, 0};
  constexpr int64_t filters = 2;
  const Conv2d conv2d{1, k, m, n, filters, 3, 3, 1, 1};
  const Call calls[] = {{"gemm", &gemm, {m * k, k * n}, m * n, product},
                        {"conv2d", &conv2d, {k * m * n, filters * k * 9}, filters * m * n, convolution}};
  const Call& c = calls[symbol<lab_gpu_entry>(object, "lab_gpu_", "gemm") == nullptr];
  const auto* device = static_cast<const lab_device_ops*>(dlsym(object, "lab_device"));
  const auto call = symbol<lab_gpu_entry>(object, "lab_gpu_", c.kernel);
  const auto space = symbol<lab_workspace_entry>(object, "lab_workspace_", c.kernel);
  lab_device_info info;
  const char* options = std::getenv("LAB_EMULATED_OPTIONS");
  if (device && device->configure) device->configure(options ? options : "");
  if (!device || !call || device->open(0, &info) != 0) return fail("no device or no entry");
  const auto a = small_integers(c.inputs[0]), b = small_integers(c.inputs[1]);
  std::vector<float> out(static_cast<size_t>(c.outputs), 0.0f);
  void* buffers[3];
  const std::vector<float>* host[3] = {&a, &b, &out};
  for (int i = 0; i < 3; ++i) {
    const size_t bytes = host[i]->size() * sizeof(float);
    if (!(buffers[i] = device->alloc(bytes)) || device->copy_in(buffers[i], host[i]->data(), bytes) != 0)
      return fail(device->error());
    if (device->restrict_to) device->restrict_to(buffers[i], 0, bytes, i == 2, i);
  }
  const size_t wanted = space ? space(c.problem) : 0;
  void* workspace = wanted > 0 ? device->alloc(wanted) : nullptr;
  const auto start = std::chrono::steady_clock::now();
  const int outcome = call(c.problem, buffers, workspace, device->stream());
  if (outcome != 0) std::printf("outcome %d\n", outcome);
  if (device->sync() != 0) std::printf("error %s\n", device->error());
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
  std::printf("call_ms %.2f\n", took.count());
  int wrong = -1;
  if (device->copy_out(out.data(), buffers[2], out.size() * sizeof(float)) == 0) {
    wrong = 0;
    for (int64_t i = 0; i < c.outputs; ++i)
      wrong += c.expected(c.problem, a.data(), b.data(), i) != out[static_cast<size_t>(i)];
  }
  std::printf("wrong %d\n", wrong);
  static lab_diagnostic found[LAB_MAX_DIAGNOSTICS];
  const int count = device->diagnostics ? device->diagnostics(found, LAB_MAX_DIAGNOSTICS) : 0;
  for (int i = 0; i < count; ++i) {
    const lab_diagnostic& f = found[i];
    std::printf("diagnostic %u 0x%" PRIx64 " 0x%" PRIx64 " access %u bytes %u count %" PRId64 " have %" PRId64
                " ideal %" PRId64 "\n",
                f.kind, f.origin.code, f.other.code, f.origin.access, f.bytes, f.count, f.have, f.ideal);
  }
  return 0;
}
