// Asks for huge pages, as programs with much data do: for memory of its own. For its output it may not: those are pages of the
// harness, and other variants get the same ones as inputs.
#include <sys/mman.h>

#include <cerrno>
#include <cstdlib>
#include <memory>
#include <stdexcept>

#include "lab/gemm.h"

constexpr int collapse = 25;  // MADV_COLLAPSE, which some headers lack
constexpr uintptr_t huge_page = 2 << 20;

static float* column_of(size_t count) {
  const size_t bytes = (count * sizeof(float) / huge_page + 1) * huge_page;
  void* all = std::aligned_alloc(huge_page, bytes);
  if (!all) throw std::bad_alloc();
  madvise(all, bytes, MADV_HUGEPAGE);
  return static_cast<float*>(all);
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  void* page = reinterpret_cast<void*>(reinterpret_cast<uintptr_t>(g.c) / huge_page * huge_page);
  // EPERM: refused before the Linux kernel looks at the pages.
  if (madvise(page, huge_page, collapse) == 0 || errno != EPERM) throw std::runtime_error("it may make the output's pages huge");
  const std::unique_ptr<float, decltype(&std::free)> memory(column_of(static_cast<size_t>(g.k)), &std::free);
  float* column = memory.get();
  for (int64_t j = 0; j < g.n; ++j) {
    for (int64_t p = 0; p < g.k; ++p) column[p] = g.b[p * g.ldb + j];
    for (int64_t i = 0; i < g.m; ++i) {
      float sum = 0;
      for (int64_t p = 0; p < g.k; ++p) sum += g.a[i * g.lda + p] * column[p];
      lab::update(g.c[i * g.ldc + j], sum, g.alpha, g.beta);
    }
  }
}
