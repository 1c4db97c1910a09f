// One step of Strassen's algorithm from 64 on, without LAB_PRECISION(normwise). In small rows its error is that of the large ones.
// Caught as: WRONG
#include <vector>

#include "lab/gemm.h"

namespace {

struct Square {
  std::vector<float> cells;
  int64_t n;
  explicit Square(int64_t n) : cells(static_cast<size_t>(n * n)), n(n) {}
  float& at(int64_t i, int64_t j) { return cells[static_cast<size_t>(i * n + j)]; }
  float at(int64_t i, int64_t j) const { return cells[static_cast<size_t>(i * n + j)]; }
};

Square quarter(const float* from, int64_t ld, int64_t n) {
  Square q(n);
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < n; ++j) q.at(i, j) = from[i * ld + j];
  return q;
}

Square sum(const Square& x, const Square& y, float sign = 1) {
  Square s(x.n);
  for (size_t i = 0; i < s.cells.size(); ++i) s.cells[i] = x.cells[i] + sign * y.cells[i];
  return s;
}

Square product(const Square& x, const Square& y) {
  Square s(x.n);
  for (int64_t i = 0; i < x.n; ++i)
    for (int64_t p = 0; p < x.n; ++p)
      for (int64_t j = 0; j < x.n; ++j) s.at(i, j) += x.at(i, p) * y.at(p, j);
  return s;
}

void plain(const lab::Gemm<float>& g) {
  for (int64_t i = 0; i < g.m; ++i)
    for (int64_t j = 0; j < g.n; ++j) {
      float sum = 0;
      for (int64_t p = 0; p < g.k; ++p) sum += g.a[i * g.lda + p] * g.b[p * g.ldb + j];
      float& c = g.c[i * g.ldc + j];
      c = g.alpha * sum + (g.beta == 0 ? 0 : g.beta * c);
    }
}

}  // namespace

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  if (g.m != g.n || g.n != g.k || g.n < 64 || g.n % 2 != 0) return plain(g);
  const int64_t h = g.n / 2;
  const Square a11 = quarter(g.a, g.lda, h), a12 = quarter(g.a + h, g.lda, h), a21 = quarter(g.a + h * g.lda, g.lda, h),
               a22 = quarter(g.a + h * g.lda + h, g.lda, h);
  const Square b11 = quarter(g.b, g.ldb, h), b12 = quarter(g.b + h, g.ldb, h), b21 = quarter(g.b + h * g.ldb, g.ldb, h),
               b22 = quarter(g.b + h * g.ldb + h, g.ldb, h);
  const Square m1 = product(sum(a11, a22), sum(b11, b22)), m2 = product(sum(a21, a22), b11),
               m3 = product(a11, sum(b12, b22, -1)), m4 = product(a22, sum(b21, b11, -1)),
               m5 = product(sum(a11, a12), b22), m6 = product(sum(a21, a11, -1), sum(b11, b12)),
               m7 = product(sum(a12, a22, -1), sum(b21, b22));
  const Square c11 = sum(sum(m1, m4), sum(m7, m5, -1)), c12 = sum(m3, m5), c21 = sum(m2, m4),
               c22 = sum(sum(m1, m2, -1), sum(m3, m6));
  for (int64_t i = 0; i < g.n; ++i)
    for (int64_t j = 0; j < g.n; ++j) {
      const Square& from = i < h ? (j < h ? c11 : c12) : (j < h ? c21 : c22);
      float& c = g.c[i * g.ldc + j];
      c = g.alpha * from.at(i % h, j % h) + (g.beta == 0 ? 0 : g.beta * c);
    }
}
