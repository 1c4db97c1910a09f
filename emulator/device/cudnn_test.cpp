#include "cudnn.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <type_traits>

#include "emulator/device/testing.h"

namespace lab::emulated {
namespace {

struct Shape {
  int n, c, h, w, k, r, s, pad_h, pad_w, stride_h, stride_w, dilation_h, dilation_w;
};

class Cudnn : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(cudnnCreate(&dnn), CUDNN_STATUS_SUCCESS);
    ASSERT_EQ(cudnnCreateTensorDescriptor(&x), CUDNN_STATUS_SUCCESS);
    ASSERT_EQ(cudnnCreateTensorDescriptor(&y), CUDNN_STATUS_SUCCESS);
    ASSERT_EQ(cudnnCreateFilterDescriptor(&w), CUDNN_STATUS_SUCCESS);
    ASSERT_EQ(cudnnCreateConvolutionDescriptor(&how), CUDNN_STATUS_SUCCESS);
  }
  void TearDown() override {
    cudnnDestroyConvolutionDescriptor(how);
    cudnnDestroyFilterDescriptor(w);
    cudnnDestroyTensorDescriptor(y);
    cudnnDestroyTensorDescriptor(x);
    cudnnDestroy(dnn);
  }

  void describe(const Shape& s, cudnnConvolutionMode_t mode = CUDNN_CROSS_CORRELATION,
                cudnnDataType_t type = CUDNN_DATA_FLOAT) {
    ASSERT_EQ(cudnnSetTensor4dDescriptor(x, CUDNN_TENSOR_NCHW, type, s.n, s.c, s.h, s.w),
              CUDNN_STATUS_SUCCESS);
    ASSERT_EQ(cudnnSetFilter4dDescriptor(w, type, CUDNN_TENSOR_NCHW, s.k, s.c, s.r, s.s),
              CUDNN_STATUS_SUCCESS);
    ASSERT_EQ(cudnnSetConvolution2dDescriptor(how, s.pad_h, s.pad_w, s.stride_h, s.stride_w, s.dilation_h,
                                              s.dilation_w, mode, type),
              CUDNN_STATUS_SUCCESS);
    ASSERT_EQ(cudnnGetConvolution2dForwardOutputDim(how, x, w, &n, &k, &p, &q), CUDNN_STATUS_SUCCESS);
    ASSERT_EQ(cudnnSetTensor4dDescriptor(y, CUDNN_TENSOR_NCHW, type, n, k, p, q), CUDNN_STATUS_SUCCESS);
  }
  size_t outputs() const { return static_cast<size_t>(n) * k * p * q; }

  /// Every output against its definition, pixel by pixel, in long double.
  template <class T>
  void compare(const Shape& s, cudnnConvolutionMode_t mode, T alpha, T beta) {
    describe(s, mode, std::is_same_v<T, float> ? CUDNN_DATA_FLOAT : CUDNN_DATA_DOUBLE);
    if (HasFatalFailure()) return;
    const auto in = random_values<T>(static_cast<size_t>(s.n) * s.c * s.h * s.w, 1);
    const auto filter = random_values<T>(static_cast<size_t>(s.k) * s.c * s.r * s.s, 2);
    const auto before = random_values<T>(outputs(), 3);
    const Buffer<T> dx(in), dw(filter), dy(before);
    ASSERT_EQ(cudnnConvolutionForward(dnn, &alpha, x, dx, w, dw, how,
                                      CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM, nullptr, 0, &beta, y, dy),
              CUDNN_STATUS_SUCCESS);
    const auto got = dy.values();
    size_t at = 0;
    for (int b = 0; b < s.n; ++b)
      for (int o = 0; o < s.k; ++o)
        for (int i = 0; i < p; ++i)
          for (int j = 0; j < q; ++j, ++at) {
            long double sum = 0, size = std::abs(beta * before[at]);
            for (int c = 0; c < s.c; ++c)
              for (int f = 0; f < s.r * s.s; ++f) {
                const int row = i * s.stride_h - s.pad_h + f / s.s * s.dilation_h;
                const int column = j * s.stride_w - s.pad_w + f % s.s * s.dilation_w;
                if (row < 0 || row >= s.h || column < 0 || column >= s.w) continue;
                const int tap = mode == CUDNN_CONVOLUTION ? s.r * s.s - 1 - f : f;
                const long double term =
                    static_cast<long double>(
                        in[static_cast<size_t>(((b * s.c + c) * s.h + row) * s.w + column)]) *
                    filter[static_cast<size_t>((o * s.c + c) * s.r * s.s + tap)];
                sum += term;
                size += std::abs(alpha * term);
              }
            const long double want = alpha * sum + beta * before[at];
            ASSERT_LE(std::abs(got[at] - want),
                      (s.c * s.r * s.s + 4) * std::numeric_limits<T>::epsilon() * size)
                << "output " << at << " of image " << s.h << "x" << s.w << ", pad " << s.pad_h << ", stride "
                << s.stride_h << ", mode " << mode;
          }
  }

  cudnnHandle_t dnn = nullptr;
  cudnnTensorDescriptor_t x = nullptr, y = nullptr;
  cudnnFilterDescriptor_t w = nullptr;
  cudnnConvolutionDescriptor_t how = nullptr;
  int n = 0, k = 0, p = 0, q = 0;
};

TEST_F(Cudnn, StridesPaddingsAndModes) {
  for (const auto mode : {CUDNN_CROSS_CORRELATION, CUDNN_CONVOLUTION})
    for (const int stride : {1, 2, 3})
      for (const int pad : {0, 1, 2}) {
        compare<float>({2, 3, 9, 11, 4, 3, 3, pad, pad, stride, stride, 1, 1}, mode, 1, 0);
        compare<double>({1, 2, 8, 7, 3, 3, 2, pad, 2 - pad, stride, 4 - stride, 1, 1}, mode, 0.5, -2);
        compare<float>({1, 1, 12, 13, 1, 2, 3, pad, 0, stride, 1, 2, 3}, mode, 2, 1);
      }
  EXPECT_EQ(kinds(mistakes()), Kinds{});
}

TEST_F(Cudnn, SmallestImages) {
  compare<float>({1, 1, 1, 1, 1, 1, 1, 0, 0, 1, 1, 1, 1}, CUDNN_CROSS_CORRELATION, 1, 0);
  // Wider padding than the image: some taps never meet it.
  compare<float>({1, 2, 1, 1, 2, 3, 3, 2, 2, 1, 1, 1, 1}, CUDNN_CONVOLUTION, 1, 0);
  compare<float>({1, 1, 2, 2, 1, 3, 3, 2, 2, 3, 3, 1, 1}, CUDNN_CROSS_CORRELATION, 1, 0);
}

TEST_F(Cudnn, BetaZeroDoesNotReadY) {
  describe({1, 1, 2, 2, 1, 1, 1, 0, 0, 1, 1, 1, 1});
  const Buffer<float> dx(std::vector<float>{1, 2, 3, 4}), dw(std::vector<float>{2}),
      dy(std::vector<float>(4, NAN));
  const float one = 1, zero = 0;
  EXPECT_EQ(cudnnConvolutionForward(dnn, &one, x, dx, w, dw, how, CUDNN_CONVOLUTION_FWD_ALGO_DIRECT, nullptr,
                                    0, &zero, y, dy),
            CUDNN_STATUS_SUCCESS);
  EXPECT_EQ(dy.values(), (std::vector<float>{2, 4, 6, 8}));
}

TEST_F(Cudnn, TensorsWithStrides) {
  describe({1, 2, 1, 2, 1, 1, 1, 0, 0, 1, 1, 1, 1});
  // Channels side by side, as in NHWC.
  ASSERT_EQ(cudnnSetTensor4dDescriptorEx(x, CUDNN_DATA_FLOAT, 1, 2, 1, 2, 4, 1, 4, 2), CUDNN_STATUS_SUCCESS);
  const Buffer<float> dx(std::vector<float>{1, 10, 2, 20}), dw(std::vector<float>{1, 1}), dy(2);
  const float one = 1, zero = 0;
  EXPECT_EQ(cudnnConvolutionForward(dnn, &one, x, dx, w, dw, how, CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM,
                                    nullptr, 0, &zero, y, dy),
            CUDNN_STATUS_SUCCESS);
  EXPECT_EQ(dy.values(), (std::vector<float>{11, 22}));
}

TEST_F(Cudnn, GemmInsistsOnItsWorkspace) {
  describe({2, 3, 5, 5, 4, 3, 3, 1, 1, 1, 1, 1, 1});
  size_t bytes = 0;
  ASSERT_EQ(
      cudnnGetConvolutionForwardWorkspaceSize(dnn, x, w, how, y, CUDNN_CONVOLUTION_FWD_ALGO_GEMM, &bytes),
      CUDNN_STATUS_SUCCESS);
  EXPECT_EQ(bytes, size_t{3 * 3 * 3} * (2 * 5 * 5) * sizeof(float));
  const Buffer<float> dx(random_values<float>(150, 1)), dw(random_values<float>(108, 2)), dy(200),
      by_gemm(200);
  const Buffer<char> workspace(bytes);
  const float one = 1, zero = 0;
  const auto call = [&](cudnnConvolutionFwdAlgo_t algorithm, void* room, size_t size, float* to) {
    return cudnnConvolutionForward(dnn, &one, x, dx, w, dw, how, algorithm, room, size, &zero, y, to);
  };
  EXPECT_EQ(call(CUDNN_CONVOLUTION_FWD_ALGO_GEMM, workspace, bytes - 1, by_gemm), CUDNN_STATUS_BAD_PARAM);
  EXPECT_EQ(call(CUDNN_CONVOLUTION_FWD_ALGO_GEMM, nullptr, bytes, by_gemm), CUDNN_STATUS_BAD_PARAM);
  EXPECT_EQ(call(CUDNN_CONVOLUTION_FWD_ALGO_GEMM, workspace, bytes, by_gemm), CUDNN_STATUS_SUCCESS);
  EXPECT_EQ(call(CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD, nullptr, 0, dy), CUDNN_STATUS_SUCCESS);
  EXPECT_EQ(dy.values(), by_gemm.values());
  EXPECT_EQ(context_error(), cudaSuccess);
}

TEST_F(Cudnn, WinogradIsForThreeByThree) {
  describe({1, 1, 8, 8, 1, 3, 3, 1, 1, 2, 2, 1, 1});
  size_t bytes = 0;
  EXPECT_EQ(
      cudnnGetConvolutionForwardWorkspaceSize(dnn, x, w, how, y, CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD, &bytes),
      CUDNN_STATUS_NOT_SUPPORTED);
  describe({1, 1, 8, 8, 1, 2, 2, 0, 0, 1, 1, 1, 1});
  const Buffer<float> dx(64), dw(4), dy(outputs());
  const float one = 1, zero = 0;
  EXPECT_EQ(cudnnConvolutionForward(dnn, &one, x, dx, w, dw, how, CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD,
                                    nullptr, 0, &zero, y, dy),
            CUDNN_STATUS_NOT_SUPPORTED);
}

TEST_F(Cudnn, AlgorithmsAreRankedWithTheirWorkspace) {
  describe({1, 2, 6, 6, 3, 3, 3, 0, 0, 2, 2, 1, 1});
  cudnnConvolutionFwdAlgoPerf_t found[CUDNN_CONVOLUTION_FWD_ALGO_COUNT];
  int given = 0;
  ASSERT_EQ(cudnnGetConvolutionForwardAlgorithm_v7(dnn, x, w, how, y, CUDNN_CONVOLUTION_FWD_ALGO_COUNT,
                                                   &given, found),
            CUDNN_STATUS_SUCCESS);
  ASSERT_EQ(given, CUDNN_CONVOLUTION_FWD_ALGO_COUNT);
  for (const auto& f : found) {
    size_t bytes = 0;
    const cudnnStatus_t status = cudnnGetConvolutionForwardWorkspaceSize(dnn, x, w, how, y, f.algo, &bytes);
    EXPECT_EQ(status, f.status) << f.algo;
    if (status == CUDNN_STATUS_SUCCESS) {
      EXPECT_EQ(bytes, f.memory) << f.algo;
    }
  }
  EXPECT_EQ(found[0].status, CUDNN_STATUS_SUCCESS);
  EXPECT_EQ(found[7].status, CUDNN_STATUS_NOT_SUPPORTED);

  // Without room, one that needs none comes first, and y holds what it computed.
  const Buffer<float> dx(random_values<float>(72, 1)), dw(random_values<float>(54, 2));
  const Buffer<float> dy(std::vector<float>(outputs(), NAN));
  ASSERT_EQ(
      cudnnFindConvolutionForwardAlgorithmEx(dnn, x, dx, w, dw, how, y, dy, 1, &given, found, nullptr, 0),
      CUDNN_STATUS_SUCCESS);
  EXPECT_EQ(given, 1);
  EXPECT_EQ(found[0].algo, CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM);
  EXPECT_FALSE(std::isnan(dy.values()[0]));
}

TEST_F(Cudnn, ParametersAreChecked) {
  describe({1, 2, 4, 4, 3, 3, 3, 0, 0, 1, 1, 1, 1});
  int a, b, c, d;
  EXPECT_EQ(cudnnSetTensor4dDescriptor(x, CUDNN_TENSOR_NHWC, CUDNN_DATA_FLOAT, 1, 1, 1, 1),
            CUDNN_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(cudnnSetTensor4dDescriptor(x, CUDNN_TENSOR_NCHW, CUDNN_DATA_HALF, 1, 1, 1, 1),
            CUDNN_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(cudnnSetTensor4dDescriptor(x, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, 0, 1, 1),
            CUDNN_STATUS_BAD_PARAM);
  EXPECT_EQ(cudnnSetFilter4dDescriptor(w, CUDNN_DATA_INT8, CUDNN_TENSOR_NCHW, 1, 1, 1, 1),
            CUDNN_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(cudnnSetConvolution2dDescriptor(how, -1, 0, 1, 1, 1, 1, CUDNN_CONVOLUTION, CUDNN_DATA_FLOAT),
            CUDNN_STATUS_BAD_PARAM);
  EXPECT_EQ(cudnnSetConvolution2dDescriptor(how, 0, 0, 0, 1, 1, 1, CUDNN_CONVOLUTION, CUDNN_DATA_FLOAT),
            CUDNN_STATUS_BAD_PARAM);
  EXPECT_EQ(cudnnSetConvolutionGroupCount(how, 2), CUDNN_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(cudnnSetConvolutionGroupCount(how, 1), CUDNN_STATUS_SUCCESS);
  // Other channels than the filter's, and a filter larger than the image.
  ASSERT_EQ(cudnnSetTensor4dDescriptor(x, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, 5, 4, 4),
            CUDNN_STATUS_SUCCESS);
  EXPECT_EQ(cudnnGetConvolution2dForwardOutputDim(how, x, w, &a, &b, &c, &d), CUDNN_STATUS_BAD_PARAM);
  ASSERT_EQ(cudnnSetTensor4dDescriptor(x, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, 2, 2, 4),
            CUDNN_STATUS_SUCCESS);
  EXPECT_EQ(cudnnGetConvolution2dForwardOutputDim(how, x, w, &a, &b, &c, &d), CUDNN_STATUS_BAD_PARAM);
  // A result of the wrong size.
  size_t bytes = 0;
  ASSERT_EQ(cudnnSetTensor4dDescriptor(x, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, 2, 5, 4),
            CUDNN_STATUS_SUCCESS);
  EXPECT_EQ(
      cudnnGetConvolutionForwardWorkspaceSize(dnn, x, w, how, y, CUDNN_CONVOLUTION_FWD_ALGO_GEMM, &bytes),
      CUDNN_STATUS_BAD_PARAM);
  EXPECT_STREQ(cudnnGetErrorString(CUDNN_STATUS_BAD_PARAM), "CUDNN_STATUS_BAD_PARAM");
  EXPECT_EQ(cudnnGetVersion(), size_t{CUDNN_VERSION});
}

TEST_F(Cudnn, TensorBeyondItsBufferIsFound) {
  describe({1, 1, 4, 4, 1, 1, 1, 0, 0, 1, 1, 1, 1});
  const Buffer<float> dx(std::vector<float>(16)), dw(std::vector<float>(1)), dy(12);
  const float one = 1, zero = 0;
  EXPECT_EQ(cudnnConvolutionForward(dnn, &one, x, dx, w, dw, how, CUDNN_CONVOLUTION_FWD_ALGO_DIRECT, nullptr,
                                    0, &zero, y, dy),
            CUDNN_STATUS_EXECUTION_FAILED);
  EXPECT_EQ(lost_where(), "cudnnConvolutionForward: tensor y reaches beyond its buffer");
  const auto found = mistakes();
  ASSERT_EQ(kinds(found), Kinds{lab_library_call});
  EXPECT_EQ(found[0].offset, 64);
  EXPECT_EQ(found[0].extent, 48);
}

TEST_F(Cudnn, WorkspaceOfTheHostIsFound) {
  describe({1, 1, 2, 2, 1, 1, 1, 0, 0, 1, 1, 1, 1});
  const Buffer<float> dx(std::vector<float>(4)), dw(std::vector<float>(1)), dy(4);
  std::vector<char> workspace(1024);
  const float one = 1, zero = 0;
  EXPECT_EQ(cudnnConvolutionForward(dnn, &one, x, dx, w, dw, how, CUDNN_CONVOLUTION_FWD_ALGO_GEMM,
                                    workspace.data(), workspace.size(), &zero, y, dy),
            CUDNN_STATUS_EXECUTION_FAILED);
  EXPECT_EQ(lost_where(), "cudnnConvolutionForward: the workspace is not memory of the device");
  EXPECT_EQ(kinds(mistakes()), Kinds{lab_library_call});
}

}  // namespace
}  // namespace lab::emulated
