// Calls cuBLAS without saying so.
// Caught as: COMPILE_ERROR
// Says: write LAB_NEEDS(cublas); to use this library
#include <cublas_v2.h>

#include "lab/gemm.h"

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  cublasHandle_t handle;
  cublasCreate(&handle);
  cublasSetStream(handle, stream);
  cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, g.n, g.m, g.k, &g.alpha, g.b, g.ldb, g.a, g.lda, &g.beta, g.c, g.ldc);
}
