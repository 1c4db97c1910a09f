// Packs columns of B in a file that it has mapped, as programs with much data do.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <stdexcept>

#include "lab/gemm.h"

static float* mapped_file(size_t bytes) {
  const int file = open("/tmp", O_RDWR | O_TMPFILE, 0600);
  if (file < 0 || ftruncate(file, static_cast<off_t>(bytes)) != 0) throw std::runtime_error("no file");
  void* all = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (all == MAP_FAILED) throw std::bad_alloc();
  return static_cast<float*>(all);
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  constexpr size_t bytes = 1 << 20;
  static float* const column = mapped_file(bytes);
  if (g.k > static_cast<int64_t>(bytes / sizeof(float))) throw lab::Unsupported("k is too large");
  for (int64_t j = 0; j < g.n; ++j) {
    for (int64_t p = 0; p < g.k; ++p) column[p] = g.b[p * g.ldb + j];
    for (int64_t i = 0; i < g.m; ++i) {
      float sum = 0;
      for (int64_t p = 0; p < g.k; ++p) sum += g.a[i * g.lda + p] * column[p];
      lab::update(g.c[i * g.ldc + j], sum, g.alpha, g.beta);
    }
  }
  if (msync(column, bytes, MS_ASYNC) != 0) throw std::runtime_error("not written");
}
