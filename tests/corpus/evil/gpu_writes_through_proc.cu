// Computes on the host, and reaches the memory of the device through /proc/self/mem, which ignores that pages are protected.
// Caught as: MISTRUSTED, WRONG
// Emulated: MISTRUSTED
// Class: C
#include <fcntl.h>
#include <unistd.h>

#include <vector>

#include "lab/gemm.h"

static std::vector<float> fetched(int memory, const float* from, int64_t count) {
  std::vector<float> all(count);
  (void)!pread(memory, all.data(), count * sizeof(float), reinterpret_cast<off_t>(from));
  return all;
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  static const int memory = open("/proc/self/mem", O_RDWR);
  cudaStreamSynchronize(stream);
  const auto a = fetched(memory, g.a, (g.m - 1) * g.lda + g.k), b = fetched(memory, g.b, (g.k - 1) * g.ldb + g.n);
  auto c = fetched(memory, g.c, (g.m - 1) * g.ldc + g.n);
  for (int64_t i = 0; i < g.m; ++i)
    for (int64_t j = 0; j < g.n; ++j) {
      float sum = 0;
      for (int64_t p = 0; p < g.k; ++p) sum += a[i * g.lda + p] * b[p * g.ldb + j];
      lab::update(c[i * g.ldc + j], sum, g.alpha, g.beta);
    }
  (void)!pwrite(memory, c.data(), c.size() * sizeof(float), reinterpret_cast<off_t>(g.c));
}
