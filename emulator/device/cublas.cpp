#include <algorithm>
#include <vector>

#include "emulator/device/device.h"
#include "emulator/device/include/cublas_v2.h"
#include "emulator/device/library.h"
#include "emulator/device/multiply.h"
#include "emulator/device/small_float.h"

struct cublasContext {
  cudaStream_t stream = nullptr;
  cublasMath_t math = CUBLAS_DEFAULT_MATH;
};

namespace {

using namespace lab::emulated;

bool is_operation(cublasOperation_t op) { return op >= CUBLAS_OP_N && op <= CUBLAS_OP_C; }

/// Checks the state of the library before the arguments of a call.
cublasStatus_t ready(cublasHandle_t handle) {
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  return context_error() == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}

template <class T>
View<T> view(const T* p, cublasOperation_t op, int ld) {
  return op == CUBLAS_OP_N ? View<T>{p, 1, ld} : View<T>{p, ld, 1};
}

/// beta = 0 overwrites the old value, even if it is NaN.
template <class T>
void scale(T& value, T by) {
  value = by == T{0} ? T{0} : by == T{1} ? value : by * value;
}

/// S: the type of alpha, beta and sums.
template <class T, class S = T>
struct Gemm {
  cublasOperation_t transa, transb;
  int m, n, k;
  const S* alpha;
  const T* A;
  int lda;
  long long stride_a;
  const T* B;
  int ldb;
  long long stride_b;
  const S* beta;
  T* C;
  int ldc;
  long long stride_c;
  int batch;
};

template <class T, class S>
bool valid(const Gemm<T, S>& g) {
  if (!is_operation(g.transa) || !is_operation(g.transb)) return false;
  if (g.m < 0 || g.n < 0 || g.k < 0 || g.batch < 0 || !g.alpha || !g.beta) return false;
  if (g.stride_a < 0 || g.stride_b < 0 || g.stride_c < 0) return false;
  return g.lda >= std::max(1, g.transa == CUBLAS_OP_N ? g.m : g.k) &&
         g.ldb >= std::max(1, g.transb == CUBLAS_OP_N ? g.k : g.n) && g.ldc >= std::max(1, g.m);
}

/// A copy in float of a column-major matrix, without gaps between its columns.
std::vector<float> widened(const __nv_bfloat16* p, int64_t rows, int64_t columns, int64_t ld) {
  std::vector<float> copy;
  for (int64_t j = 0; j < columns; ++j) copy.insert(copy.end(), p + j * ld, p + j * ld + rows);
  return copy;
}

/// C = alpha A B + beta C for matrices that may be read and written. A bfloat16 is rounded once, at the end.
void compute(const Gemm<__nv_bfloat16, float>& g, const __nv_bfloat16* A, const __nv_bfloat16* B, __nv_bfloat16* C,
             bool multiplies) {
  std::vector<float> c = *g.beta != 0 ? widened(C, g.m, g.n, g.ldc) : std::vector<float>(size_t(g.m) * size_t(g.n));
  for (float& x : c) scale(x, *g.beta);
  if (multiplies) {
    const bool plain_a = g.transa == CUBLAS_OP_N, plain_b = g.transb == CUBLAS_OP_N;
    const int rows_a = plain_a ? g.m : g.k, rows_b = plain_b ? g.k : g.n;
    const auto a = widened(A, rows_a, plain_a ? g.k : g.m, g.lda), b = widened(B, rows_b, plain_b ? g.n : g.k, g.ldb);
    add_product(g.m, g.n, g.k, *g.alpha, view(a.data(), g.transa, rows_a), view(b.data(), g.transb, rows_b), c.data(), g.m);
  }
  for (int64_t column = 0; column < g.n; ++column)
    std::copy_n(c.data() + column * g.m, g.m, C + column * g.ldc);
}
template <class T>
void compute(const Gemm<T, T>& g, const T* A, const T* B, T* C, bool multiplies) {
  for (int64_t column = 0; column < g.n; ++column)
    for (int64_t row = 0; row < g.m; ++row) scale(C[row + column * g.ldc], *g.beta);
  if (multiplies) add_product(g.m, g.n, g.k, *g.alpha, view(A, g.transa, g.lda), view(B, g.transb, g.ldb), C, g.ldc);
}

template <class T, class S = T>
cublasStatus_t gemm(const LibraryCall& call, cublasHandle_t handle, const Gemm<T, S>& g) {
  if (const cublasStatus_t status = ready(handle)) return status;
  if (!valid(g)) return CUBLAS_STATUS_INVALID_VALUE;
  if (g.m == 0 || g.n == 0 || g.batch == 0) return CUBLAS_STATUS_SUCCESS;
  if (!call.on_host("alpha", g.alpha) || !call.on_host("beta", g.beta)) return CUBLAS_STATUS_EXECUTION_FAILED;
  const auto stored = [&](cublasOperation_t op, int rows, int columns, int ld, long long stride) {
    return op == CUBLAS_OP_N ? matrix_box(rows, columns, ld, g.batch, stride)
                             : matrix_box(columns, rows, ld, g.batch, stride);
  };
  const Box c = matrix_box(g.m, g.n, g.ldc, g.batch, g.stride_c);
  const bool multiplies = *g.alpha != S{0} && g.k > 0;
  if (multiplies && (!call.reads("matrix A", g.A, stored(g.transa, g.m, g.k, g.lda, g.stride_a), sizeof(T)) ||
                     !call.reads("matrix B", g.B, stored(g.transb, g.k, g.n, g.ldb, g.stride_b), sizeof(T))))
    return CUBLAS_STATUS_EXECUTION_FAILED;
  if (!call.writes("matrix C", g.C, c, sizeof(T)) ||
      (*g.beta != S{0} && !call.reads("matrix C", g.C, c, sizeof(T))))
    return CUBLAS_STATUS_EXECUTION_FAILED;
  for (int i = 0; i < g.batch; ++i)
    compute(g, g.A + i * g.stride_a, g.B + i * g.stride_b, g.C + i * g.stride_c, multiplies);
  call.wrote(g.C, c, sizeof(T));
  return CUBLAS_STATUS_SUCCESS;
}

/// The index of element i of a BLAS vector with n elements.
int64_t at(int64_t i, int64_t n, int64_t increment) {
  return increment > 0 ? i * increment : (i - (n - 1)) * increment;
}

template <class T>
cublasStatus_t gemv(const LibraryCall& call, cublasHandle_t handle, cublasOperation_t trans, int m, int n,
                    const T* alpha, const T* A, int lda, const T* x, int incx, const T* beta, T* y,
                    int incy) {
  if (const cublasStatus_t status = ready(handle)) return status;
  if (!is_operation(trans) || m < 0 || n < 0 || lda < std::max(1, m) || incx == 0 || incy == 0 || !alpha ||
      !beta)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  const int from = trans == CUBLAS_OP_N ? n : m, to = trans == CUBLAS_OP_N ? m : n;
  const Box result = vector_box(to, incy);
  if (!call.on_host("alpha", alpha) || !call.on_host("beta", beta)) return CUBLAS_STATUS_EXECUTION_FAILED;
  if (*alpha != T{0} && (!call.reads("matrix A", A, matrix_box(m, n, lda), sizeof(T)) ||
                         !call.reads("vector x", x, vector_box(from, incx), sizeof(T))))
    return CUBLAS_STATUS_EXECUTION_FAILED;
  if (!call.writes("vector y", y, result, sizeof(T)) ||
      (*beta != T{0} && !call.reads("vector y", y, result, sizeof(T))))
    return CUBLAS_STATUS_EXECUTION_FAILED;
  const View<T> a = view(A, trans, lda);
  for (int64_t i = 0; i < to; ++i) {
    T sum = 0;
    if (*alpha != T{0})
      for (int64_t j = 0; j < from; ++j) sum += a.p[i * a.row + j * a.column] * x[at(j, from, incx)];
    T& out = y[at(i, to, incy)];
    scale(out, *beta);
    out += *alpha * sum;
  }
  call.wrote(y, result, sizeof(T));
  return CUBLAS_STATUS_SUCCESS;
}

}  // namespace

#define LAB_CALL(name) \
  const LibraryCall call { name, __builtin_return_address(0) }

extern "C" {

const char* cublasGetStatusName(cublasStatus_t status) {
#define LAB_CASE(name, number, text) \
  case name:                         \
    return #name;
  switch (status) { LAB_CUBLAS_STATUS(LAB_CASE) }
#undef LAB_CASE
  return "unknown cuBLAS status";
}
const char* cublasGetStatusString(cublasStatus_t status) {
#define LAB_CASE(name, number, text) \
  case name:                         \
    return text;
  switch (status) { LAB_CUBLAS_STATUS(LAB_CASE) }
#undef LAB_CASE
  return "unknown cuBLAS status";
}

cublasStatus_t cublasCreate(cublasHandle_t* handle) {
  if (!handle) return CUBLAS_STATUS_INVALID_VALUE;
  *handle = nullptr;  // if the caller ignores the result, the next call reports the error
  if (context_error() != cudaSuccess) return CUBLAS_STATUS_NOT_INITIALIZED;
  *handle = new cublasContext;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasDestroy(cublasHandle_t handle) {
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  delete handle;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetProperty(libraryPropertyType which, int* value) {
  constexpr int version[] = {CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10, 0};
  if (!value || which < MAJOR_VERSION || which > PATCH_LEVEL) return CUBLAS_STATUS_INVALID_VALUE;
  *value = version[which];
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream) {
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  handle->stream = stream;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t* stream) {
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!stream) return CUBLAS_STATUS_INVALID_VALUE;
  *stream = handle->stream;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode) {
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  const int base = mode & ~CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION;
  if (base < CUBLAS_DEFAULT_MATH || base > CUBLAS_TF32_TENSOR_OP_MATH) return CUBLAS_STATUS_INVALID_VALUE;
  handle->math = mode;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t* mode) {
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!mode) return CUBLAS_STATUS_INVALID_VALUE;
  *mode = handle->math;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode) {
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  return mode == CUBLAS_POINTER_MODE_HOST ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_SUPPORTED;
}
cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t* mode) {
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!mode) return CUBLAS_STATUS_INVALID_VALUE;
  *mode = CUBLAS_POINTER_MODE_HOST;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSgemm(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m,
                           int n, int k, const float* alpha, const float* A, int lda, const float* B, int ldb,
                           const float* beta, float* C, int ldc) {
  LAB_CALL("cublasSgemm");
  return gemm<float>(call, handle,
                     {transa, transb, m, n, k, alpha, A, lda, 0, B, ldb, 0, beta, C, ldc, 0, 1});
}
cublasStatus_t cublasDgemm(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m,
                           int n, int k, const double* alpha, const double* A, int lda, const double* B,
                           int ldb, const double* beta, double* C, int ldc) {
  LAB_CALL("cublasDgemm");
  return gemm<double>(call, handle,
                      {transa, transb, m, n, k, alpha, A, lda, 0, B, ldb, 0, beta, C, ldc, 0, 1});
}
cublasStatus_t cublasSgemmStridedBatched(cublasHandle_t handle, cublasOperation_t transa,
                                         cublasOperation_t transb, int m, int n, int k, const float* alpha,
                                         const float* A, int lda, long long stride_a, const float* B, int ldb,
                                         long long stride_b, const float* beta, float* C, int ldc,
                                         long long stride_c, int batch) {
  LAB_CALL("cublasSgemmStridedBatched");
  return gemm<float>(
      call, handle,
      {transa, transb, m, n, k, alpha, A, lda, stride_a, B, ldb, stride_b, beta, C, ldc, stride_c, batch});
}
cublasStatus_t cublasDgemmStridedBatched(cublasHandle_t handle, cublasOperation_t transa,
                                         cublasOperation_t transb, int m, int n, int k, const double* alpha,
                                         const double* A, int lda, long long stride_a, const double* B,
                                         int ldb, long long stride_b, const double* beta, double* C, int ldc,
                                         long long stride_c, int batch) {
  LAB_CALL("cublasDgemmStridedBatched");
  return gemm<double>(
      call, handle,
      {transa, transb, m, n, k, alpha, A, lda, stride_a, B, ldb, stride_b, beta, C, ldc, stride_c, batch});
}
cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m,
                            int n, int k, const void* alpha, const void* A, cudaDataType a_type, int lda,
                            const void* B, cudaDataType b_type, int ldb, const void* beta, void* C,
                            cudaDataType c_type, int ldc, cublasComputeType_t compute, cublasGemmAlgo_t) {
  LAB_CALL("cublasGemmEx");
  const auto run = [&]<class T, class S>(T, S) {
    return gemm<T, S>(
        call, handle,
        {transa, transb, m, n, k, static_cast<const S*>(alpha), static_cast<const T*>(A), lda, 0,
         static_cast<const T*>(B), ldb, 0, static_cast<const S*>(beta), static_cast<T*>(C), ldc, 0, 1});
  };
  const bool single = compute == CUBLAS_COMPUTE_32F || compute == CUBLAS_COMPUTE_32F_PEDANTIC ||
                      compute == CUBLAS_COMPUTE_32F_FAST_16F || compute == CUBLAS_COMPUTE_32F_FAST_16BF ||
                      compute == CUBLAS_COMPUTE_32F_FAST_TF32;
  const bool twice = compute == CUBLAS_COMPUTE_64F || compute == CUBLAS_COMPUTE_64F_PEDANTIC;
  const auto all = [&](cudaDataType type) { return a_type == type && b_type == type && c_type == type; };
  if (single && all(CUDA_R_32F)) return run(float{}, float{});
  if (single && all(CUDA_R_16BF)) return run(__nv_bfloat16{}, float{});
  if (twice && all(CUDA_R_64F)) return run(double{}, double{});
  return handle ? CUBLAS_STATUS_NOT_SUPPORTED : CUBLAS_STATUS_NOT_INITIALIZED;
}

cublasStatus_t cublasSgemv(cublasHandle_t handle, cublasOperation_t trans, int m, int n, const float* alpha,
                           const float* A, int lda, const float* x, int incx, const float* beta, float* y,
                           int incy) {
  LAB_CALL("cublasSgemv");
  return gemv(call, handle, trans, m, n, alpha, A, lda, x, incx, beta, y, incy);
}
cublasStatus_t cublasDgemv(cublasHandle_t handle, cublasOperation_t trans, int m, int n, const double* alpha,
                           const double* A, int lda, const double* x, int incx, const double* beta, double* y,
                           int incy) {
  LAB_CALL("cublasDgemv");
  return gemv(call, handle, trans, m, n, alpha, A, lda, x, incx, beta, y, incy);
}

cublasStatus_t cublasSaxpy(cublasHandle_t handle, int n, const float* alpha, const float* x, int incx,
                           float* y, int incy) {
  LAB_CALL("cublasSaxpy");
  if (const cublasStatus_t status = ready(handle)) return status;
  if (!alpha) return CUBLAS_STATUS_INVALID_VALUE;
  if (n <= 0) return CUBLAS_STATUS_SUCCESS;
  const Box to = vector_box(n, incy);
  if (!call.on_host("alpha", alpha) || !call.reads("vector x", x, vector_box(n, incx), sizeof(float)) ||
      !call.writes("vector y", y, to, sizeof(float)) || !call.reads("vector y", y, to, sizeof(float)))
    return CUBLAS_STATUS_EXECUTION_FAILED;
  for (int64_t i = 0; i < n; ++i) y[at(i, n, incy)] += *alpha * x[at(i, n, incx)];
  call.wrote(y, to, sizeof(float));
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSscal(cublasHandle_t handle, int n, const float* alpha, float* x, int incx) {
  LAB_CALL("cublasSscal");
  if (const cublasStatus_t status = ready(handle)) return status;
  if (!alpha) return CUBLAS_STATUS_INVALID_VALUE;
  if (n <= 0 || incx <= 0) return CUBLAS_STATUS_SUCCESS;
  const Box to = vector_box(n, incx);
  if (!call.on_host("alpha", alpha) || !call.writes("vector x", x, to, sizeof(float)) ||
      !call.reads("vector x", x, to, sizeof(float)))
    return CUBLAS_STATUS_EXECUTION_FAILED;
  for (int64_t i = 0; i < n; ++i) x[i * incx] *= *alpha;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSdot(cublasHandle_t handle, int n, const float* x, int incx, const float* y, int incy,
                          float* result) {
  LAB_CALL("cublasSdot");
  if (const cublasStatus_t status = ready(handle)) return status;
  if (!result) return CUBLAS_STATUS_INVALID_VALUE;
  if (!call.on_host("the result", result)) return CUBLAS_STATUS_EXECUTION_FAILED;
  *result = 0;
  if (n <= 0) return CUBLAS_STATUS_SUCCESS;
  if (!call.reads("vector x", x, vector_box(n, incx), sizeof(float)) ||
      !call.reads("vector y", y, vector_box(n, incy), sizeof(float)))
    return CUBLAS_STATUS_EXECUTION_FAILED;
  for (int64_t i = 0; i < n; ++i) *result += x[at(i, n, incx)] * y[at(i, n, incy)];
  return CUBLAS_STATUS_SUCCESS;
}

}  // extern "C"
