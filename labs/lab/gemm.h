// The common interface of the GEMM variants:  C = alpha * A * B + beta * C
//
// A is m x k, B is k x n, C is m x n, all row-major: element (i, j) of A is a[i * lda + j]. Leading
// dimensions count elements and may exceed the width; do not read or write the elements in between. With
// beta == 0, do not read C: it may hold NaN (the BLAS rule).
//
//   LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) { ... }          or double, or bf16 (lab/bf16.h)
//   LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) { k<<<grid, block, 0, stream>>>(g); }
//
// GPU variants get device pointers. They enqueue their work on `stream` and return; they do not allocate,
// copy, wait or time. A variant that needs scratch memory says how much and finds it in g.workspace, aligned
// to 256 bytes. (When the harness asks, there are no buffers yet: a, b, c and workspace are null.)
//
//   LAB_GEMM_WORKSPACE(float)(const lab::Gemm<float>& g) { return g.k * g.n * sizeof(float); }
//
// A variant that tells what it launches gets the metrics warps_occupied and efficiency; there are no buffers
// yet here either:
//
//   LAB_GEMM_LAUNCH(float)(const lab::Gemm<float>& g) { return {blocks, threads_a_block}; }
#pragma once

#ifndef __cplusplus
#include "lab/gemm_c.h"
#else
#include "lab/types.h"

namespace lab {

template <class T>
struct Gemm {
  int64_t m, n, k;  // at least 1 each
  Sum<T> alpha;
  const T* a;
  int64_t lda;
  const T* b;
  int64_t ldb;
  Sum<T> beta;
  T* c;
  int64_t ldc;
  void* workspace;

  /// The same problem for `count` rows of A and C, starting at `first`.
  Gemm rows(int64_t first, int64_t count) const {
    Gemm part = *this;
    part.m = count;
    part.a += first * lda;
    part.c += first * ldc;
    return part;
  }
};

/// The last step of every variant: one element of C from its sum of products.
template <class T>
LAB_HOST_DEVICE inline void update(T& c, Sum<T> sum, Sum<T> alpha, Sum<T> beta) {
  c = beta == 0 ? alpha * sum : alpha * sum + beta * c;
}

/// Whether 32-bit indices are enough for all elements of each matrix, with room for a step past its end. A
/// GPU computes an address with 32-bit indices in half the instructions of 64-bit ones: gpu_naive is twice as
/// fast.
template <class T>
bool counts_in_32_bits(const Gemm<T>& g) {
  constexpr int64_t most = int64_t{1} << 30;
  return g.m * g.lda < most && g.k * g.ldb < most && g.m * g.ldc < most;
}

/// The problem as the harness passes it to the variant. The buffers are A, B, C in this order.
struct GemmProblem {
  int64_t m, n, k, lda, ldb, ldc;
  double alpha, beta;
};

template <class T>
Gemm<T> unpack_gemm(const void* problem, void* const* buffers, void* workspace) {
  const GemmProblem& p = *static_cast<const GemmProblem*>(problem);
  // LAB_GEMM_WORKSPACE is called before there are buffers.
  const auto buffer = [&](int i) { return buffers ? static_cast<T*>(buffers[i]) : nullptr; };
  return {p.m,   p.n,       p.k,   static_cast<Sum<T>>(p.alpha), buffer(0),
          p.lda, buffer(1), p.ldb, static_cast<Sum<T>>(p.beta),  buffer(2),
          p.ldc, workspace};
}

}  // namespace lab

#define LAB_GEMM_CPU(T)                                                                                     \
  static void LAB_SYMBOL(lab_body_gemm_, T)(const lab::Gemm<T>& g);                                         \
  LAB_EXPORT int LAB_SYMBOL(lab_cpu_gemm_, T)(const void* problem, void* const* buffers, void* workspace) { \
    return lab::guarded([&] {                                                                               \
      LAB_SYMBOL(lab_body_gemm_, T)(lab::unpack_gemm<T>(problem, buffers, workspace));                      \
    });                                                                                                     \
  }                                                                                                         \
  static void LAB_SYMBOL(lab_body_gemm_, T)

#define LAB_GEMM_GPU(T)                                                                                   \
  static void LAB_SYMBOL(lab_body_gemm_, T)(const lab::Gemm<T>& g, lab::Stream stream);                   \
  LAB_EXPORT int LAB_SYMBOL(lab_gpu_gemm_, T)(const void* problem, void* const* buffers, void* workspace, \
                                              void* stream) {                                             \
    return lab::guarded([&] {                                                                             \
      LAB_SYMBOL(lab_body_gemm_, T)                                                                       \
      (lab::unpack_gemm<T>(problem, buffers, workspace), static_cast<lab::Stream>(stream));               \
    });                                                                                                   \
  }                                                                                                       \
  static void LAB_SYMBOL(lab_body_gemm_, T)

#define LAB_GEMM_WORKSPACE(T)                                                              \
  static size_t LAB_SYMBOL(lab_space_gemm_, T)(const lab::Gemm<T>& g);                     \
  LAB_EXPORT size_t LAB_SYMBOL(lab_workspace_gemm_, T)(const void* problem) {              \
    return LAB_SYMBOL(lab_space_gemm_, T)(lab::unpack_gemm<T>(problem, nullptr, nullptr)); \
  }                                                                                        \
  static size_t LAB_SYMBOL(lab_space_gemm_, T)

#define LAB_GEMM_LAUNCH(T)                                                                 \
  static lab_launch LAB_SYMBOL(lab_shape_gemm_, T)(const lab::Gemm<T>& g);                 \
  LAB_EXPORT void LAB_SYMBOL(lab_launch_gemm_, T)(const void* problem, lab_launch* out) {  \
    *out = LAB_SYMBOL(lab_shape_gemm_, T)(lab::unpack_gemm<T>(problem, nullptr, nullptr)); \
  }                                                                                        \
  static lab_launch LAB_SYMBOL(lab_shape_gemm_, T)

#endif  // __cplusplus
