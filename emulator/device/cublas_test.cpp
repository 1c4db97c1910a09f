#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "cublas_v2.h"
#include "emulator/device/testing.h"

namespace lab::emulated {
namespace {

constexpr cublasOperation_t operations[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};

class Cublas : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(cublasCreate(&blas), CUBLAS_STATUS_SUCCESS); }
  void TearDown() override { cublasDestroy(blas); }

  cublasStatus_t gemm(cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k, float alpha,
                      const float* a, int lda, const float* b, int ldb, float beta, float* c, int ldc) {
    return cublasSgemm(blas, ta, tb, m, n, k, &alpha, a, lda, b, ldb, &beta, c, ldc);
  }
  cublasStatus_t gemm(cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k, double alpha,
                      const double* a, int lda, const double* b, int ldb, double beta, double* c, int ldc) {
    return cublasDgemm(blas, ta, tb, m, n, k, &alpha, a, lda, b, ldb, &beta, c, ldc);
  }

  /// All of C against a sum in long double, with the bound of a sum of k products in any order; what lies
  /// between the columns must stay.
  template <class T>
  void compare(cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k, int pad, T alpha, T beta) {
    const int rows_a = ta == CUBLAS_OP_N ? m : k, columns_a = ta == CUBLAS_OP_N ? k : m;
    const int rows_b = tb == CUBLAS_OP_N ? k : n, columns_b = tb == CUBLAS_OP_N ? n : k;
    const int lda = rows_a + pad, ldb = rows_b + 2 * pad, ldc = m + 3 * pad;
    const auto a = random_values<T>(static_cast<size_t>(lda) * columns_a, 1);
    const auto b = random_values<T>(static_cast<size_t>(ldb) * columns_b, 2);
    const auto c = random_values<T>(static_cast<size_t>(ldc) * n, 3);
    const Buffer<T> da(a), db(b), dc(c);
    ASSERT_EQ(gemm(ta, tb, m, n, k, alpha, da, lda, db, ldb, beta, dc, ldc), CUBLAS_STATUS_SUCCESS);
    const auto got = dc.values();
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < ldc; ++i) {
        const size_t at = static_cast<size_t>(i) + static_cast<size_t>(j) * ldc;
        if (i >= m) {
          ASSERT_EQ(got[at], c[at]) << "padding " << i << "," << j;
          continue;
        }
        long double sum = 0, size = std::abs(beta * c[at]);
        for (int p = 0; p < k; ++p) {
          const long double x = a[static_cast<size_t>(ta == CUBLAS_OP_N ? i + p * lda : p + i * lda)];
          const long double y = b[static_cast<size_t>(tb == CUBLAS_OP_N ? p + j * ldb : j + p * ldb)];
          sum += x * y;
          size += std::abs(alpha * x * y);
        }
        const long double want = alpha * sum + beta * c[at];
        ASSERT_LE(std::abs(got[at] - want), (k + 4) * std::numeric_limits<T>::epsilon() * size)
            << i << "," << j << " of " << m << "x" << n << "x" << k << " " << ta << tb;
      }
  }

  cublasHandle_t blas = nullptr;
};

TEST_F(Cublas, GemmOfAllTransposesAndRaggedSizes) {
  for (const auto ta : operations)
    for (const auto tb : operations)
      for (const auto [m, n, k] :
           {dim3(1, 1, 1), dim3(7, 5, 3), dim3(8, 4, 16), dim3(129, 6, 257), dim3(3, 515, 9)})
        for (const int pad : {0, 1, 5}) {
          const int rows = static_cast<int>(m), columns = static_cast<int>(n), depth = static_cast<int>(k);
          compare<float>(ta, tb, rows, columns, depth, pad, 1.5f, -0.5f);
          compare<double>(ta, tb, rows, columns, depth, pad, 1.0, 1.0);
        }
  EXPECT_EQ(kinds(mistakes()), Kinds{});
}

TEST_F(Cublas, BetaZeroDoesNotReadC) {
  const Buffer<float> a(std::vector<float>{1, 2, 3, 4}), b(std::vector<float>{1, 0, 0, 1});
  const Buffer<float> c(std::vector<float>(4, NAN)), fresh(4);
  EXPECT_EQ(gemm(CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, 1.0f, a, 2, b, 2, 0.0f, c, 2), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(c.values(), (std::vector<float>{1, 2, 3, 4}));
  EXPECT_EQ(gemm(CUBLAS_OP_N, CUBLAS_OP_T, 2, 2, 2, 1.0f, a, 2, b, 2, 0.0f, fresh, 2), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(fresh.values(), (std::vector<float>{1, 2, 3, 4}));
  // An empty sum is zero and overwrites the old value.
  EXPECT_EQ(gemm(CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 0, 1.0f, a, 2, b, 1, 0.0f, c, 2), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(c.values(), (std::vector<float>{0, 0, 0, 0}));
  EXPECT_EQ(kinds(mistakes()), Kinds{});
}

TEST_F(Cublas, ResultCountsAsWritten) {
  const Buffer<float> a(std::vector<float>{2}), b(std::vector<float>{3}), c(1), d(1);
  EXPECT_EQ(gemm(CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, 1.0f, a, 1, b, 1, 0.0f, c, 1), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(gemm(CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, 1.0f, c, 1, b, 1, 0.0f, d, 1), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(d.values(), std::vector<float>{18});
  EXPECT_EQ(kinds(mistakes()), Kinds{});
}

TEST_F(Cublas, SizesAndLeadingDimensionsAreChecked) {
  const Buffer<float> a(std::vector<float>(64)), b(std::vector<float>(64)), c(64);
  const auto call = [&](int m, int n, int k, int lda, int ldb, int ldc, cublasOperation_t ta = CUBLAS_OP_N,
                        cublasOperation_t tb = CUBLAS_OP_N) {
    return gemm(ta, tb, m, n, k, 1.0f, a, lda, b, ldb, 0.0f, c, ldc);
  };
  EXPECT_EQ(call(4, 3, 2, 4, 2, 4), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(call(-1, 3, 2, 4, 2, 4), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(call(4, -1, 2, 4, 2, 4), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(call(4, 3, -1, 4, 2, 4), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(call(4, 3, 2, 3, 2, 4), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(call(4, 3, 2, 4, 1, 4), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(call(4, 3, 2, 4, 2, 3), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(call(4, 3, 2, 2, 3, 4, CUBLAS_OP_T, CUBLAS_OP_T), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(call(4, 3, 2, 1, 3, 4, CUBLAS_OP_T, CUBLAS_OP_T), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(call(4, 3, 2, 2, 2, 4, CUBLAS_OP_T, CUBLAS_OP_T), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(call(4, 3, 2, 4, 2, 4, static_cast<cublasOperation_t>(9)), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(call(0, 0, 0, 1, 1, 1), CUBLAS_STATUS_SUCCESS);
  const float one = 1;
  EXPECT_EQ(cublasSgemm(nullptr, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, a, 1, b, 1, &one, c, 1),
            CUBLAS_STATUS_NOT_INITIALIZED);
  EXPECT_EQ(cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, nullptr, a, 1, b, 1, &one, c, 1),
            CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(context_error(), cudaSuccess);
}

TEST_F(Cublas, Bfloat16IsAddedUpInFloatAndRoundedOnce) {
  using Bf = __nv_bfloat16;
  const Buffer<Bf> a(std::vector<Bf>{Bf(1), Bf(2), Bf(3), Bf(4)}), b(std::vector<Bf>{Bf(256), Bf(1)});
  const Buffer<Bf> c(std::vector<Bf>{Bf(-2), Bf(-8)});
  const float one = 1, half = 0.5;
  // A has the columns 1 2 and 3 4: A b = 259 516, and half of the old C.
  EXPECT_EQ(cublasGemmEx(blas, CUBLAS_OP_N, CUBLAS_OP_N, 2, 1, 2, &one, a, CUDA_R_16BF, 2, b, CUDA_R_16BF, 2, &half, c,
                         CUDA_R_16BF, 2, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(float(c.values()[0]), 258.0f);  // 259 is no bfloat16
  EXPECT_EQ(float(c.values()[1]), 512.0f);
}

TEST_F(Cublas, GemmExOfOtherTypesIsRefused) {
  const Buffer<float> a(std::vector<float>{2}), b(std::vector<float>{3}), c(1);
  const Buffer<double> x(std::vector<double>{2}), y(std::vector<double>{3}), z(1);
  const float one = 1, zero = 0;
  const double one_d = 1, zero_d = 0;
  const auto single = [&](cudaDataType type, cublasComputeType_t compute) {
    return cublasGemmEx(blas, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, a, CUDA_R_32F, 1, b, type, 1, &zero, c,
                        CUDA_R_32F, 1, compute, CUBLAS_GEMM_DEFAULT);
  };
  EXPECT_EQ(single(CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(c.values(), std::vector<float>{6});
  EXPECT_EQ(single(CUDA_R_16F, CUBLAS_COMPUTE_32F), CUBLAS_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(single(CUDA_R_32F, CUBLAS_COMPUTE_64F), CUBLAS_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(single(CUDA_R_32F, CUBLAS_COMPUTE_16F), CUBLAS_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(cublasGemmEx(blas, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one_d, x, CUDA_R_64F, 1, y, CUDA_R_64F, 1,
                         &zero_d, z, CUDA_R_64F, 1, CUBLAS_COMPUTE_64F, CUBLAS_GEMM_DEFAULT),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(z.values(), std::vector<double>{6});
}

TEST_F(Cublas, BatchOfProducts) {
  const Buffer<float> a(std::vector<float>{1, 2, 3}), b(std::vector<float>{10}), c(std::vector<float>(5, 7));
  const float one = 1, zero = 0;
  EXPECT_EQ(cublasSgemmStridedBatched(blas, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, a, 1, 1, b, 1, 0, &zero,
                                      c, 1, 2, 3),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(c.values(), (std::vector<float>{10, 7, 20, 7, 30}));
  const Buffer<double> x(std::vector<double>{1, 2}), y(std::vector<double>{10, 100});
  const Buffer<double> z(std::vector<double>(3, 7));
  const double one_d = 1, zero_d = 0;
  EXPECT_EQ(cublasDgemmStridedBatched(blas, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one_d, x, 1, 1, y, 1, 1,
                                      &zero_d, z, 1, 2, 2),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(z.values(), (std::vector<double>{10, 7, 200}));
}

TEST_F(Cublas, TellsTheReleaseWhoseInterfaceItFollows) {
  int major = -1, minor = -1, patch = -1;
  EXPECT_EQ(cublasGetProperty(MAJOR_VERSION, &major), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cublasGetProperty(MINOR_VERSION, &minor), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cublasGetProperty(PATCH_LEVEL, &patch), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(major * 1000 + minor * 10 + patch, CUDART_VERSION);
  EXPECT_EQ(cublasGetProperty(static_cast<libraryPropertyType>(3), &patch), CUBLAS_STATUS_INVALID_VALUE);
}

TEST_F(Cublas, GemvInBothDirections) {
  // Columns (1,2), (3,4), (5,6).
  const Buffer<float> a(std::vector<float>{1, 2, 3, 4, 5, 6}), x(std::vector<float>{1, 10, 100});
  const Buffer<float> y(std::vector<float>{1, NAN, 2}), t(std::vector<float>(3, NAN));
  const float one = 1, two = 2, zero = 0;
  EXPECT_EQ(cublasSgemv(blas, CUBLAS_OP_N, 2, 3, &one, a, 2, x, -1, &two, y, 2), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(y.values()[0], 100 * 1 + 10 * 3 + 5 + 2 * 1);
  EXPECT_EQ(y.values()[2], 100 * 2 + 10 * 4 + 6 + 2 * 2);
  EXPECT_EQ(cublasSgemv(blas, CUBLAS_OP_T, 2, 3, &one, a, 2, x, 1, &zero, t, 1), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(t.values(), (std::vector<float>{21, 43, 65}));
  EXPECT_EQ(cublasSgemv(blas, CUBLAS_OP_T, 2, 3, &one, a, 1, x, 1, &zero, t, 1), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(cublasSgemv(blas, CUBLAS_OP_T, 2, 3, &one, a, 2, x, 0, &zero, t, 1), CUBLAS_STATUS_INVALID_VALUE);
}

TEST_F(Cublas, Vectors) {
  const Buffer<float> x(std::vector<float>{1, 2, 3}), y(std::vector<float>{10, 20, 30});
  const float two = 2;
  float dot = 0;
  EXPECT_EQ(cublasSdot(blas, 3, x, 1, y, -1, &dot), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(dot, 30 + 40 + 30);
  EXPECT_EQ(cublasSaxpy(blas, 3, &two, x, 1, y, 1), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(y.values(), (std::vector<float>{12, 24, 36}));
  EXPECT_EQ(cublasSscal(blas, 2, &two, x, 2), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(x.values(), (std::vector<float>{2, 2, 6}));
}

TEST_F(Cublas, ModesAndNames) {
  cublasMath_t mode = CUBLAS_DEFAULT_MATH;
  EXPECT_EQ(cublasSetMathMode(blas, CUBLAS_TF32_TENSOR_OP_MATH), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(cublasGetMathMode(blas, &mode), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(mode, CUBLAS_TF32_TENSOR_OP_MATH);
  EXPECT_EQ(cublasSetMathMode(blas, static_cast<cublasMath_t>(9)), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(cublasSetPointerMode(blas, CUBLAS_POINTER_MODE_DEVICE), CUBLAS_STATUS_NOT_SUPPORTED);
  EXPECT_STREQ(cublasGetStatusName(CUBLAS_STATUS_EXECUTION_FAILED), "CUBLAS_STATUS_EXECUTION_FAILED");
  EXPECT_STREQ(cublasGetStatusString(CUBLAS_STATUS_NOT_SUPPORTED),
               "the requested functionality is not supported");
}

TEST_F(Cublas, WrongLeadingDimensionIsFound) {
  // 4 x 3 row-major, given as if it were column-major: the last column begins at 2 * 6.
  const Buffer<float> a(std::vector<float>(12)), b(std::vector<float>(9)), c(12);
  EXPECT_EQ(gemm(CUBLAS_OP_N, CUBLAS_OP_N, 4, 3, 3, 1.0f, a, 6, b, 3, 0.0f, c, 4),
            CUBLAS_STATUS_EXECUTION_FAILED);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  EXPECT_EQ(lost_where(), "cublasSgemm: matrix A reaches beyond its buffer");
  const auto found = mistakes();
  ASSERT_EQ(kinds(found), Kinds{lab_library_call});
  EXPECT_STREQ(found[0].kernel, "cublasSgemm: matrix A");
  EXPECT_EQ(found[0].extent, 48);
  EXPECT_EQ(found[0].offset, (2 * 6 + 4) * 4);
  EXPECT_NE(found[0].origin.code, 0u);
  EXPECT_EQ(found[0].origin.access, static_cast<uint32_t>(lab_access_read));
  // The context is lost for the library too.
  EXPECT_EQ(gemm(CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, 1.0f, a, 1, b, 1, 0.0f, c, 1),
            CUBLAS_STATUS_EXECUTION_FAILED);
}

TEST_F(Cublas, NoHandleOnALostDevice) {
  lose_context(cudaErrorIllegalAddress, "a test");
  auto* fresh = reinterpret_cast<cublasHandle_t>(1);
  EXPECT_EQ(cublasCreate(&fresh), CUBLAS_STATUS_NOT_INITIALIZED);
  EXPECT_EQ(cublasSetStream(fresh, nullptr), CUBLAS_STATUS_NOT_INITIALIZED);
}

TEST_F(Cublas, HostPointerIsFound) {
  const Buffer<float> a(std::vector<float>(4)), b(std::vector<float>(4));
  std::vector<float> c(4);
  EXPECT_EQ(gemm(CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, 1.0f, a, 2, b, 2, 0.0f, c.data(), 2),
            CUBLAS_STATUS_EXECUTION_FAILED);
  EXPECT_EQ(lost_where(), "cublasSgemm: matrix C is not memory of the device");
  EXPECT_EQ(kinds(mistakes()), Kinds{lab_library_call});
}

TEST_F(Cublas, ScalarOnTheDeviceIsFound) {
  const Buffer<float> a(std::vector<float>(1)), b(std::vector<float>(1)), c(1), one(std::vector<float>{1});
  const float zero = 0;
  EXPECT_EQ(cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, one, a, 1, b, 1, &zero, c, 1),
            CUBLAS_STATUS_EXECUTION_FAILED);
  EXPECT_EQ(lost_where(), "cublasSgemm: alpha is memory of the device, where memory of the host is expected");
  EXPECT_EQ(kinds(mistakes()), Kinds{lab_library_call});
}

TEST_F(Cublas, FreedMatrixIsFound) {
  float* a = nullptr;
  ASSERT_EQ(cudaMalloc(&a, 4 * sizeof(float)), cudaSuccess);
  const Buffer<float> b(std::vector<float>(4)), c(4);
  ASSERT_EQ(cudaFree(a), cudaSuccess);
  EXPECT_EQ(gemm(CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, 1.0f, a, 2, b, 2, 0.0f, c, 2),
            CUBLAS_STATUS_EXECUTION_FAILED);
  EXPECT_EQ(lost_where(), "cublasSgemm: matrix A is outside its buffer");
  EXPECT_EQ(kinds(mistakes()), Kinds{lab_library_call});
}

TEST_F(Cublas, OnlyTheUsablePartOfABufferMayBeRead) {
  const Buffer<float> a(std::vector<float>(4)), b(std::vector<float>(4)), c(4);
  ASSERT_TRUE(Arena::get().restrict_to(b, 0, 12, false));
  EXPECT_EQ(gemm(CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, 1.0f, a, 2, b, 2, 0.0f, c, 2),
            CUBLAS_STATUS_EXECUTION_FAILED);
  EXPECT_EQ(lost_where(), "cublasSgemm: matrix B reaches beyond its buffer");
  const auto found = mistakes();
  ASSERT_EQ(kinds(found), Kinds{lab_library_call});
  EXPECT_EQ(found[0].extent, 12);
}

TEST_F(Cublas, WrittenInputIsFound) {
  const Buffer<float> a(std::vector<float>(4)), b(std::vector<float>(4)), c(4);
  ASSERT_TRUE(Arena::get().restrict_to(a, 0, 16, false));
  EXPECT_EQ(gemm(CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, 1.0f, c, 2, b, 2, 0.0f, a, 2),
            CUBLAS_STATUS_EXECUTION_FAILED);
  EXPECT_EQ(lost_where(), "cublasSgemm: matrix C is an input, which nothing may write to");
  const auto found = mistakes();
  EXPECT_NE(
      std::find_if(found.begin(), found.end(), [](const auto& f) { return f.kind == lab_input_written; }),
      found.end());
}

TEST(CublasDiagnostics, UninitialisedMatrixIsFound) {
  cublasHandle_t blas = nullptr;
  ASSERT_EQ(cublasCreate(&blas), CUBLAS_STATUS_SUCCESS);
  const float one = 1, zero = 0;
  const Buffer<float> a(std::vector<float>(6)), b(4), c(4);
  const std::vector<float> part(3);
  cudaMemcpy(b, part.data(), 12, cudaMemcpyHostToDevice);
  // An uninitialised gap between columns is no mistake.
  EXPECT_EQ(cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 2, &one, a, 3, b, 2, &zero, c, 1),
            CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(kinds(mistakes()), Kinds{});
  EXPECT_EQ(cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, a, 2, b, 2, &zero, c, 2),
            CUBLAS_STATUS_SUCCESS);
  const auto found = mistakes();
  ASSERT_EQ(kinds(found), Kinds{lab_uninitialised_global});
  EXPECT_STREQ(found[0].kernel, "cublasSgemm: matrix B");
  EXPECT_EQ(context_error(), cudaSuccess);
  cublasDestroy(blas);
}

}  // namespace
}  // namespace lab::emulated
