// cuBLAS's matrix product for the variants that call it.
//
// cuBLAS stores matrices column by column, so our row-major A, B and C are their own transposes there. We
// ask for C^T = alpha * B^T * A^T + beta * C^T: B comes first, m and n are exchanged, and nothing has to
// be transposed. A call with A and B in their usual order computes B * A. For square matrices the sizes
// still fit, so only the values show the mistake.
//
// The first call creates the handle, which owns the work space of the library. The harness times the first
// call separately.
#pragma once

#include <cublas_v2.h>

#include <limits>
#include <stdexcept>
#include <string>

#include "lab/gemm.h"

namespace lab {

inline void require(cublasStatus_t status) {
  if (status != CUBLAS_STATUS_SUCCESS) throw std::runtime_error("cuBLAS failed");
}

inline cublasHandle_t cublas_handle(cublasMath_t math) {
  static const cublasHandle_t handle = [math] {
    cublasHandle_t made;
    const cublasStatus_t status = cublasCreate(&made);
    if (status == CUBLAS_STATUS_ALLOC_FAILED) throw std::bad_alloc();
    require(status);
    require(cublasSetMathMode(made, math));
    return made;
  }();
  return handle;
}

inline int cublas_size(int64_t n) {
  if (n > std::numeric_limits<int>::max()) throw std::length_error("too large for this BLAS");
  return static_cast<int>(n);
}

/// C with one call. A variant has one math mode, that of its first call.
template <class T>
void cublas_gemm(const Gemm<T>& g, cublasMath_t math, Stream stream) {
  const cublasHandle_t handle = cublas_handle(math);
  const auto n = cublas_size;
  require(cublasSetStream(handle, stream));
  if constexpr (sizeof(T) == 2)
    require(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, n(g.n), n(g.m), n(g.k), &g.alpha, g.b, CUDA_R_16BF, n(g.ldb),
                         g.a, CUDA_R_16BF, n(g.lda), &g.beta, g.c, CUDA_R_16BF, n(g.ldc), CUBLAS_COMPUTE_32F,
                         CUBLAS_GEMM_DEFAULT));
  else if constexpr (sizeof(T) == 4)
    require(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n(g.n), n(g.m), n(g.k), &g.alpha, g.b, n(g.ldb), g.a,
                        n(g.lda), &g.beta, g.c, n(g.ldc)));
  else
    require(cublasDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n(g.n), n(g.m), n(g.k), &g.alpha, g.b, n(g.ldb), g.a,
                        n(g.lda), &g.beta, g.c, n(g.ldc)));
}

/// "cuBLAS 13.0.2" and the mode.
inline std::string cublas_about(const std::string& mode) {
  const auto part = [](libraryPropertyType which) {
    int value = 0;
    cublasGetProperty(which, &value);
    return std::to_string(value);
  };
  return "cuBLAS " + part(MAJOR_VERSION) + "." + part(MINOR_VERSION) + "." + part(PATCH_LEVEL) + ", " + mode;
}

}  // namespace lab
