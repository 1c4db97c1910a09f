// cuBLAS on the emulated device: matrix products and some functions of levels 1 and 2, in float and double.
// The arithmetic is always IEEE: a math mode is remembered but changes nothing.
#pragma once

#include "emulator/device/api.h"
#include "emulator/device/include/cuda_bf16.h"
#include "emulator/device/include/cuda_fp16.h"
#include "emulator/device/include/library_types.h"

#define LAB_CUBLAS_STATUS(X)                                                              \
  X(CUBLAS_STATUS_SUCCESS, 0, "success")                                                  \
  X(CUBLAS_STATUS_NOT_INITIALIZED, 1, "the library was not initialized")                  \
  X(CUBLAS_STATUS_ALLOC_FAILED, 3, "the resource allocation failed")                      \
  X(CUBLAS_STATUS_INVALID_VALUE, 7, "an invalid value was passed")                        \
  X(CUBLAS_STATUS_ARCH_MISMATCH, 8, "the device lacks a feature that the function needs") \
  X(CUBLAS_STATUS_MAPPING_ERROR, 11, "an access to device memory failed")                 \
  X(CUBLAS_STATUS_EXECUTION_FAILED, 13, "the device program failed to execute")           \
  X(CUBLAS_STATUS_INTERNAL_ERROR, 14, "an internal operation failed")                     \
  X(CUBLAS_STATUS_NOT_SUPPORTED, 15, "the requested functionality is not supported")      \
  X(CUBLAS_STATUS_LICENSE_ERROR, 16, "the requested functionality needs a license")

#define LAB_ENUMERATOR(name, number, text) name = number,
typedef enum { LAB_CUBLAS_STATUS(LAB_ENUMERATOR) } cublasStatus_t;
#undef LAB_ENUMERATOR

typedef enum { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1, CUBLAS_OP_C = 2 } cublasOperation_t;
typedef enum { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 } cublasPointerMode_t;
typedef enum {
  CUBLAS_DEFAULT_MATH = 0,
  CUBLAS_TENSOR_OP_MATH = 1,
  CUBLAS_PEDANTIC_MATH = 2,
  CUBLAS_TF32_TENSOR_OP_MATH = 3,
  CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
} cublasMath_t;
typedef enum {
  CUBLAS_COMPUTE_16F = 64,
  CUBLAS_COMPUTE_32F = 68,
  CUBLAS_COMPUTE_32F_PEDANTIC = 69,
  CUBLAS_COMPUTE_64F = 70,
  CUBLAS_COMPUTE_64F_PEDANTIC = 71,
  CUBLAS_COMPUTE_32I = 72,
  CUBLAS_COMPUTE_32F_FAST_16F = 74,
  CUBLAS_COMPUTE_32F_FAST_16BF = 75,
  CUBLAS_COMPUTE_32F_FAST_TF32 = 77
} cublasComputeType_t;
typedef enum { CUBLAS_GEMM_DEFAULT = -1, CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99 } cublasGemmAlgo_t;

typedef struct cublasContext* cublasHandle_t;


extern "C" {
const char* cublasGetStatusName(cublasStatus_t);
const char* cublasGetStatusString(cublasStatus_t);

cublasStatus_t cublasCreate(cublasHandle_t*);
cublasStatus_t cublasDestroy(cublasHandle_t);
/// The version of cuBLAS whose interface this follows. The implementation is our own.
cublasStatus_t cublasGetProperty(libraryPropertyType, int*);
cublasStatus_t cublasSetStream(cublasHandle_t, cudaStream_t);
cublasStatus_t cublasGetStream(cublasHandle_t, cudaStream_t*);
cublasStatus_t cublasSetMathMode(cublasHandle_t, cublasMath_t);
cublasStatus_t cublasGetMathMode(cublasHandle_t, cublasMath_t*);
/// Only scalars in host memory are supported.
cublasStatus_t cublasSetPointerMode(cublasHandle_t, cublasPointerMode_t);
cublasStatus_t cublasGetPointerMode(cublasHandle_t, cublasPointerMode_t*);

// C = alpha op(A) op(B) + beta C, column-major: op(A) is m x k, op(B) k x n, C m x n.
cublasStatus_t cublasSgemm(cublasHandle_t, cublasOperation_t transa, cublasOperation_t transb, int m, int n,
                           int k, const float* alpha, const float* A, int lda, const float* B, int ldb,
                           const float* beta, float* C, int ldc);
cublasStatus_t cublasDgemm(cublasHandle_t, cublasOperation_t transa, cublasOperation_t transb, int m, int n,
                           int k, const double* alpha, const double* A, int lda, const double* B, int ldb,
                           const double* beta, double* C, int ldc);
cublasStatus_t cublasSgemmStridedBatched(cublasHandle_t, cublasOperation_t transa, cublasOperation_t transb,
                                         int m, int n, int k, const float* alpha, const float* A, int lda,
                                         long long stride_a, const float* B, int ldb, long long stride_b,
                                         const float* beta, float* C, int ldc, long long stride_c, int batch);
cublasStatus_t cublasDgemmStridedBatched(cublasHandle_t, cublasOperation_t transa, cublasOperation_t transb,
                                         int m, int n, int k, const double* alpha, const double* A, int lda,
                                         long long stride_a, const double* B, int ldb, long long stride_b,
                                         const double* beta, double* C, int ldc, long long stride_c,
                                         int batch);
/// All matrices CUDA_R_32F or all CUDA_R_64F.
cublasStatus_t cublasGemmEx(cublasHandle_t, cublasOperation_t transa, cublasOperation_t transb, int m, int n,
                            int k, const void* alpha, const void* A, cudaDataType a_type, int lda,
                            const void* B, cudaDataType b_type, int ldb, const void* beta, void* C,
                            cudaDataType c_type, int ldc, cublasComputeType_t compute, cublasGemmAlgo_t);

// y = alpha op(A) x + beta y; A is m x n.
cublasStatus_t cublasSgemv(cublasHandle_t, cublasOperation_t trans, int m, int n, const float* alpha,
                           const float* A, int lda, const float* x, int incx, const float* beta, float* y,
                           int incy);
cublasStatus_t cublasDgemv(cublasHandle_t, cublasOperation_t trans, int m, int n, const double* alpha,
                           const double* A, int lda, const double* x, int incx, const double* beta, double* y,
                           int incy);

cublasStatus_t cublasSaxpy(cublasHandle_t, int n, const float* alpha, const float* x, int incx, float* y,
                           int incy);
cublasStatus_t cublasSscal(cublasHandle_t, int n, const float* alpha, float* x, int incx);
cublasStatus_t cublasSdot(cublasHandle_t, int n, const float* x, int incx, const float* y, int incy,
                          float* result);
}

/// The older interface names the type of the sums as that of a matrix.
inline cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m,
                                   int n, int k, const void* alpha, const void* A, cudaDataType a_type, int lda,
                                   const void* B, cudaDataType b_type, int ldb, const void* beta, void* C,
                                   cudaDataType c_type, int ldc, cudaDataType compute, cublasGemmAlgo_t algorithm) {
  return cublasGemmEx(handle, transa, transb, m, n, k, alpha, A, a_type, lda, B, b_type, ldb, beta, C, c_type, ldc,
                      compute == CUDA_R_64F ? CUBLAS_COMPUTE_64F : CUBLAS_COMPUTE_32F, algorithm);
}
