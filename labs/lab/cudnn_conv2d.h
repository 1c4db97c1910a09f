// cuDNN's convolution for the variants that call it. Descriptors, algorithm and work space are set up once
// per problem, outside the timed call, as in a program that convolves many images. Only the convolution is
// in the call.
//
// The harness asks for the work space before it calls the variant. The plan made then is kept for the
// following calls, and a new one is made for another problem. No data is kept.
#pragma once

#include <cudnn.h>

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "lab/conv2d.h"

namespace lab {

struct CudnnAlgorithm {
  cudnnConvolutionFwdAlgo_t id;
  const char* name;
};

/// How one of several algorithms is chosen: cuDNN estimates their times, or runs each of them once and
/// measures.
enum class CudnnSearch { estimate, measure };

struct CudnnChoice {
  std::vector<CudnnAlgorithm> allowed;
  CudnnSearch search = CudnnSearch::estimate;
};

inline void require(cudnnStatus_t status, const std::string& what) {
  if (status == CUDNN_STATUS_NOT_SUPPORTED) throw Unsupported("cuDNN does not support it: " + what);
  if (status != CUDNN_STATUS_SUCCESS)
    throw std::runtime_error("cuDNN: " + what + ": " + cudnnGetErrorString(status));
}

inline int cudnn_size(int64_t n) {
  if (n > std::numeric_limits<int>::max()) throw std::length_error("cuDNN: too large, it counts in 32 bits");
  return static_cast<int>(n);
}

/// Created once, because that takes hundreds of milliseconds.
inline cudnnHandle_t cudnn_handle() {
  static const cudnnHandle_t made = [] {
    cudnnHandle_t h;
    require(cudnnCreate(&h), "cannot start");
    return h;
  }();
  return made;
}

/// A descriptor, destroyed with its owner.
template <class D, cudnnStatus_t (*create)(D*), cudnnStatus_t (*destroy)(D)>
class CudnnDescriptor {
 public:
  CudnnDescriptor() { require(create(&d_), "out of memory"); }
  ~CudnnDescriptor() { destroy(d_); }
  CudnnDescriptor(const CudnnDescriptor&) = delete;
  CudnnDescriptor& operator=(const CudnnDescriptor&) = delete;
  operator D() const { return d_; }

 private:
  D d_ = nullptr;
};

class CudnnPlan {
 public:
  template <class T>
  CudnnPlan(const Conv2d<T>& c, const CudnnChoice& choice) {
    const cudnnDataType_t type = sizeof(T) == 4 ? CUDNN_DATA_FLOAT : CUDNN_DATA_DOUBLE;
    const auto n = cudnn_size;
    require(cudnnSetTensor4dDescriptor(input_, CUDNN_TENSOR_NCHW, type, n(c.batch), n(c.channels),
                                       n(c.height), n(c.width)),
            "input");
    require(cudnnSetFilter4dDescriptor(filter_, type, CUDNN_TENSOR_NCHW, n(c.filters), n(c.channels),
                                       n(c.filter_height), n(c.filter_width)),
            "filter");
    require(cudnnSetTensor4dDescriptor(output_, CUDNN_TENSOR_NCHW, type, n(c.batch), n(c.filters),
                                       n(c.out_height), n(c.out_width)),
            "output");
    require(cudnnSetConvolution2dDescriptor(convolution_, n(c.padding), n(c.padding), n(c.stride),
                                            n(c.stride), 1, 1, CUDNN_CROSS_CORRELATION, type),
            "convolution");
    // Without this, cuDNN may round float inputs to TF32.
    require(cudnnSetConvolutionMathType(convolution_, CUDNN_FMA_MATH), "arithmetic");
    choose(choice, std::max(c.filter_height, c.filter_width));
  }
  size_t bytes() const { return bytes_; }
  const CudnnAlgorithm& algorithm() const { return algorithm_; }

  template <class T>
  void run(const Conv2d<T>& c, Stream stream) const {
    const T one = 1, zero = 0;
    require(cudnnSetStream(cudnn_handle(), stream), "stream");
    require(cudnnConvolutionForward(cudnn_handle(), &one, input_, c.input, filter_, c.filter, convolution_,
                                    algorithm_.id, c.workspace, bytes_, &zero, output_, c.output),
            algorithm_.name);
  }

 private:
  /// Takes the fastest algorithm that is allowed. Measuring takes some milliseconds and memory of its own.
  void choose(const CudnnChoice& choice, int64_t filter) {
    cudnnConvolutionFwdAlgoPerf_t ranked[2 * CUDNN_CONVOLUTION_FWD_ALGO_COUNT];
    const auto rank = choice.search == CudnnSearch::measure ? cudnnFindConvolutionForwardAlgorithm
                                                            : cudnnGetConvolutionForwardAlgorithm_v7;
    int count = 0;
    require(rank(cudnn_handle(), input_, filter_, convolution_, output_, 2 * CUDNN_CONVOLUTION_FWD_ALGO_COUNT,
                 &count, ranked),
            "no algorithm for this problem");
    for (int i = 0; i < count; ++i) {  // the fastest first
      for (const CudnnAlgorithm& a : choice.allowed) {
        if (ranked[i].status != CUDNN_STATUS_SUCCESS || ranked[i].algo != a.id) continue;
        if (ranked[i].mathType != CUDNN_FMA_MATH) continue;  // it would round inputs to TF32
        // For 5 x 5 filters it makes tiles of 9 x 9 results from numbers so large that errors of 0.5 % are left.
        if (a.id == CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD_NONFUSED && filter > 3) continue;
        if (cudnnGetConvolutionForwardWorkspaceSize(cudnn_handle(), input_, filter_, convolution_, output_,
                                                    a.id, &bytes_) != CUDNN_STATUS_SUCCESS)
          continue;
        algorithm_ = a;
        return;
      }
    }
    std::string names;
    for (const CudnnAlgorithm& a : choice.allowed) names += std::string(names.empty() ? "" : ", ") + a.name;
    throw Unsupported("cuDNN has no " + names + " for this problem");
  }

  CudnnDescriptor<cudnnTensorDescriptor_t, cudnnCreateTensorDescriptor, cudnnDestroyTensorDescriptor> input_,
      output_;
  CudnnDescriptor<cudnnFilterDescriptor_t, cudnnCreateFilterDescriptor, cudnnDestroyFilterDescriptor> filter_;
  CudnnDescriptor<cudnnConvolutionDescriptor_t, cudnnCreateConvolutionDescriptor,
                  cudnnDestroyConvolutionDescriptor>
      convolution_;
  CudnnAlgorithm algorithm_{};
  size_t bytes_ = 0;
};

/// The algorithm of the last plan.
inline const char*& cudnn_choice() {
  static const char* name = "";
  return name;
}

/// The plan of the last problem; another problem gets a new one. Throws if a plan cannot be made.
template <class T>
const CudnnPlan& cudnn_plan(const Conv2d<T>& c, const CudnnChoice& choice) {
  using Key = std::array<int64_t, 9>;
  static Key known;
  static std::unique_ptr<CudnnPlan> plan;
  const Key key = {c.batch,         c.channels,     c.height, c.width,  c.filters,
                   c.filter_height, c.filter_width, c.stride, c.padding};
  if (plan && key == known) return *plan;
  cudnn_choice() = "";
  plan = std::make_unique<CudnnPlan>(c, choice);
  known = key;
  cudnn_choice() = plan->algorithm().name;
  return *plan;
}

/// Called before the variant. Errors are reported by the variant's call, where the harness can show them.
template <class T>
size_t cudnn_bytes(const Conv2d<T>& c, const CudnnChoice& choice) {
  try {
    return cudnn_plan(c, choice).bytes();
  } catch (const std::exception&) {
    return 0;
  }
}

}  // namespace lab
