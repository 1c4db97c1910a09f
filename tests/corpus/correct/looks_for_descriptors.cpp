// When it is asked for its work space, no descriptor of a buffer is open: a copy of one would keep its memory after the case.
#include <unistd.h>

#include <stdexcept>
#include <string>

#include "lab/gemm.h"

static int found = 0;

LAB_GEMM_WORKSPACE(float)(const lab::Gemm<float>&) {
  constexpr int channel = 3;  // to the harness
  for (int file = channel + 1; file < 64; ++file)
    if (const int copy = dup(file); copy >= 0) {
      ++found;
      close(copy);
    }
  return 0;
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  if (found > 0) throw std::runtime_error(std::to_string(found) + " descriptors are open");
  for (int64_t i = 0; i < g.m; ++i)
    for (int64_t j = 0; j < g.n; ++j) {
      float sum = 0;
      for (int64_t p = 0; p < g.k; ++p) sum += g.a[i * g.lda + p] * g.b[p * g.ldb + j];
      lab::update(g.c[i * g.ldc + j], sum, g.alpha, g.beta);
    }
}
