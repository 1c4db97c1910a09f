// The forward convolution that cudnn.cpp offers under the names of cuDNN.
#pragma once

#include "emulator/device/include/cudnn.h"
#include "emulator/device/library.h"

struct cudnnTensorStruct {
  cudnnDataType_t type = CUDNN_DATA_FLOAT;
  int size[4] = {};    // n, c, h, w
  int stride[4] = {};  // in elements
};
struct cudnnFilterStruct {
  cudnnDataType_t type = CUDNN_DATA_FLOAT;
  int size[4] = {};  // k, c, h, w
};
struct cudnnConvolutionStruct {
  int pad[2] = {}, stride[2] = {1, 1}, dilation[2] = {1, 1};  // h, w
  cudnnConvolutionMode_t mode = CUDNN_CROSS_CORRELATION;
  cudnnDataType_t compute = CUDNN_DATA_FLOAT;
  cudnnMathType_t math = CUDNN_DEFAULT_MATH;
};

namespace lab::emulated {

/// The parts of one convolution. The functions below need all of them.
struct Convolution {
  const cudnnTensorStruct* x;
  const cudnnFilterStruct* w;
  const cudnnConvolutionStruct* how;
};

/// n, c, h, w of the result. False: there is no such convolution.
bool output_size(const Convolution& c, int* size);
/// Does the algorithm support it? (cuDNN API reference, "cudnnConvolutionForward").
bool supports(const Convolution& c, cudnnConvolutionFwdAlgo_t algorithm);
size_t workspace_bytes(const Convolution& c, cudnnConvolutionFwdAlgo_t algorithm);

Box box_of(const cudnnTensorStruct& t);
Box box_of(const cudnnFilterStruct& w);

/// T: float, double.
template <class T>
void convolve(const Convolution& c, T alpha, const T* x, const T* w, T beta, const cudnnTensorStruct& y_of,
              T* y);

}  // namespace lab::emulated
