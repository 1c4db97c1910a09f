// The AVX2 and FMA instructions of the CPU variants, with the same names for both types: 8 lanes of float,
// 4 of double. A variant that includes this file declares LAB_NEEDS(avx2, fma).
#pragma once

#include <immintrin.h>

#include <cstdint>

namespace lab {

template <class T>
struct Avx;

template <>
struct Avx<float> {
  using Vector = __m256;
  static constexpr int lanes = 8;

  static Vector zero() { return _mm256_setzero_ps(); }
  static Vector broadcast(float x) { return _mm256_set1_ps(x); }
  static Vector load(const float* p) { return _mm256_loadu_ps(p); }  // any alignment
  static void store(float* p, Vector v) { _mm256_storeu_ps(p, v); }
  static Vector multiply(Vector a, Vector b) { return _mm256_mul_ps(a, b); }
  static Vector fmadd(Vector a, Vector b, Vector c) { return _mm256_fmadd_ps(a, b, c); }  // a * b + c

  /// Lane l is p[l * stride].
  static Vector gather(const float* p, int64_t stride) {
    const float* q = p + 4 * stride;
    return _mm256_setr_ps(p[0], p[stride], p[2 * stride], p[3 * stride], q[0], q[stride], q[2 * stride],
                          q[3 * stride]);
  }
};

template <>
struct Avx<double> {
  using Vector = __m256d;
  static constexpr int lanes = 4;

  static Vector zero() { return _mm256_setzero_pd(); }
  static Vector broadcast(double x) { return _mm256_set1_pd(x); }
  static Vector load(const double* p) { return _mm256_loadu_pd(p); }
  static void store(double* p, Vector v) { _mm256_storeu_pd(p, v); }
  static Vector multiply(Vector a, Vector b) { return _mm256_mul_pd(a, b); }
  static Vector fmadd(Vector a, Vector b, Vector c) { return _mm256_fmadd_pd(a, b, c); }

  static Vector gather(const double* p, int64_t stride) {
    return _mm256_setr_pd(p[0], p[stride], p[2 * stride], p[3 * stride]);
  }
};

/// lab::update of gemm.h for `lanes` neighbours of C at once.
template <class T>
void update(T* c, typename Avx<T>::Vector sum, T alpha, T beta) {
  using V = Avx<T>;
  auto value = V::multiply(V::broadcast(alpha), sum);
  if (beta != 0) value = V::fmadd(V::broadcast(beta), V::load(c), value);
  V::store(c, value);
}

}  // namespace lab
