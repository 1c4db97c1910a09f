// Cuts the longest edge in halves until a piece is small, as cache-oblivious algorithms do.
#include "lab/gemm.h"

static void add(const lab::Gemm<float>& g, int64_t i, int64_t m, int64_t j, int64_t n, int64_t p, int64_t k) {
  if (m > 8 && m >= n && m >= k) {
    add(g, i, m / 2, j, n, p, k);
    return add(g, i + m / 2, m - m / 2, j, n, p, k);
  }
  if (n > 8 && n >= k) {
    add(g, i, m, j, n / 2, p, k);
    return add(g, i, m, j + n / 2, n - n / 2, p, k);
  }
  if (k > 8) {
    add(g, i, m, j, n, p, k / 2);
    return add(g, i, m, j, n, p + k / 2, k - k / 2);
  }
  for (int64_t y = i; y < i + m; ++y)
    for (int64_t x = j; x < j + n; ++x)
      for (int64_t q = p; q < p + k; ++q) g.c[y * g.ldc + x] += g.alpha * g.a[y * g.lda + q] * g.b[q * g.ldb + x];
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  for (int64_t i = 0; i < g.m; ++i)
    for (int64_t j = 0; j < g.n; ++j) lab::update(g.c[i * g.ldc + j], 0.0f, g.alpha, g.beta);
  add(g, 0, g.m, 0, g.n, 0, g.k);
}
