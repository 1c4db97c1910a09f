// cuBLAS: one call to NVIDIA's library, the vendor's rung of the ladder.
//
// cuBLAS counts matrices column by column: to it, our A, B and C are their own transposes. So it is asked for
// C^T = alpha * B^T * A^T + beta * C^T, that is with B first, m and n exchanged, and nothing to transpose. A
// call that passes A and B in their order computes another product, and for square matrices no size gives it
// away.
//
// In f32 the multiply-adds are those of f32: the library rounds inputs to TF32 only where it is told to, and
// the math mode is set to say that it is not.
//
// The handle is made in the first call, which the harness times apart; it owns the library's work space.
//
// Limit: the multiply-adds of the device; for small matrices, too few tiles to occupy all of it.
#include <cublas_v2.h>

#include <limits>
#include <stdexcept>
#include <string>

#include "lab/gemm.h"

LAB_NEEDS(cublas);

static void demand(cublasStatus_t status) {
  if (status != CUBLAS_STATUS_SUCCESS) throw std::runtime_error("cuBLAS failed");
}

static cublasHandle_t handle_on(lab::Stream stream) {
  static const cublasHandle_t handle = [] {
    cublasHandle_t made;
    const cublasStatus_t status = cublasCreate(&made);
    if (status == CUBLAS_STATUS_ALLOC_FAILED) throw std::bad_alloc();
    demand(status);
    demand(cublasSetMathMode(made, CUBLAS_DEFAULT_MATH));
    return made;
  }();
  demand(cublasSetStream(handle, stream));
  return handle;
}

static int size(int64_t n) {
  if (n > std::numeric_limits<int>::max()) throw std::length_error("too large for this BLAS");
  return static_cast<int>(n);
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  demand(cublasSgemm(handle_on(stream), CUBLAS_OP_N, CUBLAS_OP_N, size(g.n), size(g.m), size(g.k), &g.alpha,
                     g.b, size(g.ldb), g.a, size(g.lda), &g.beta, g.c, size(g.ldc)));
}

LAB_GEMM_GPU(double)(const lab::Gemm<double>& g, lab::Stream stream) {
  demand(cublasDgemm(handle_on(stream), CUBLAS_OP_N, CUBLAS_OP_N, size(g.n), size(g.m), size(g.k), &g.alpha,
                     g.b, size(g.ldb), g.a, size(g.lda), &g.beta, g.c, size(g.ldc)));
}

LAB_ABOUT() {
  static const std::string about = [] {
    const auto part = [](libraryPropertyType which) {
      int value = 0;
      cublasGetProperty(which, &value);
      return std::to_string(value);
    };
    return "cuBLAS " + part(MAJOR_VERSION) + "." + part(MINOR_VERSION) + "." + part(PATCH_LEVEL) +
           ", TF32 off (CUBLAS_DEFAULT_MATH)";
  }();
  return about.c_str();
}
