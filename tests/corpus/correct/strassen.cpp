// Strassen's seven products where all edges are even and long, and the error bound that goes with them.
#include <vector>

#include "lab/gemm.h"

LAB_PRECISION(normwise);

struct View {
  const float* at;
  int64_t ld;
  float operator()(int64_t i, int64_t j) const { return at[i * ld + j]; }
};

// c = a * b, m x k times k x n.
static void product(View a, View b, float* c, int64_t ldc, int64_t m, int64_t n, int64_t k);

static std::vector<float> sum_of(View x, View y, float sign, int64_t rows, int64_t columns) {
  std::vector<float> sum(rows * columns);
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j) sum[i * columns + j] = x(i, j) + sign * y(i, j);
  return sum;
}

static void strassen(View a, View b, float* c, int64_t ldc, int64_t m, int64_t n, int64_t k) {
  const View a11 = a, a12{a.at + k, a.ld}, a21{a.at + m * a.ld, a.ld}, a22{a.at + m * a.ld + k, a.ld};
  const View b11 = b, b12{b.at + n, b.ld}, b21{b.at + k * b.ld, b.ld}, b22{b.at + k * b.ld + n, b.ld};
  const auto as = [&](View x, View y, float sign) { return sum_of(x, y, sign, m, k); };
  const auto bs = [&](View x, View y, float sign) { return sum_of(x, y, sign, k, n); };
  const auto times = [&](View x, View y) {
    std::vector<float> out(m * n);
    product(x, y, out.data(), n, m, n, k);
    return out;
  };
  const auto va = [&](const std::vector<float>& v) { return View{v.data(), k}; };
  const auto vb = [&](const std::vector<float>& v) { return View{v.data(), n}; };
  const auto m1 = times(va(as(a11, a22, 1)), vb(bs(b11, b22, 1)));
  const auto m2 = times(va(as(a21, a22, 1)), b11);
  const auto m3 = times(a11, vb(bs(b12, b22, -1)));
  const auto m4 = times(a22, vb(bs(b21, b11, -1)));
  const auto m5 = times(va(as(a11, a12, 1)), b22);
  const auto m6 = times(va(as(a21, a11, -1)), vb(bs(b11, b12, 1)));
  const auto m7 = times(va(as(a12, a22, -1)), vb(bs(b21, b22, 1)));
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      const int64_t x = i * n + j;
      c[i * ldc + j] = m1[x] + m4[x] - m5[x] + m7[x];
      c[i * ldc + j + n] = m3[x] + m5[x];
      c[(i + m) * ldc + j] = m2[x] + m4[x];
      c[(i + m) * ldc + j + n] = m1[x] - m2[x] + m3[x] + m6[x];
    }
}

static void product(View a, View b, float* c, int64_t ldc, int64_t m, int64_t n, int64_t k) {
  const bool even = m % 2 == 0 && n % 2 == 0 && k % 2 == 0;
  if (even && m >= 16 && n >= 16 && k >= 16) return strassen(a, b, c, ldc, m / 2, n / 2, k / 2);
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      float sum = 0;
      for (int64_t p = 0; p < k; ++p) sum += a(i, p) * b(p, j);
      c[i * ldc + j] = sum;
    }
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  std::vector<float> c(g.m * g.n);
  product({g.a, g.lda}, {g.b, g.ldb}, c.data(), g.n, g.m, g.n, g.k);
  for (int64_t i = 0; i < g.m; ++i)
    for (int64_t j = 0; j < g.n; ++j) lab::update(g.c[i * g.ldc + j], c[i * g.n + j], g.alpha, g.beta);
}
