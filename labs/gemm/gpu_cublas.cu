// cuBLAS: one call to NVIDIA's library. This is the vendor library of the GPU ladder.
//
// cuBLAS stores matrices column by column, so our row-major A, B and C are their own transposes there. We
// ask for C^T = alpha * B^T * A^T + beta * C^T: B comes first, m and n are exchanged, and nothing has to
// be transposed. A call with A and B in their usual order computes B * A. For square matrices the sizes
// still fit, so only the values show the mistake.
//
// In f32 it multiplies and adds in f32. The library rounds inputs to TF32 only if a program asks for it;
// the math mode is set to make sure that it does not.
//
// The first call creates the handle, which owns the work space of the library. The harness times the first
// call separately.
//
// What limits it: the multiply-adds of the device. For small matrices there are too few tiles to use all
// of it.
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
