// cuDNN, by algorithms that transform image and filter: fewer multiplications, other rounding.
//
// Against gpu_cudnn: winograd computes 2 x 2 results of a 3 x 3 filter with 16 multiplications in place of
// 36, from sums and differences of pixels; fft multiplies in the frequency domain. A result is no longer the
// sum of its own products: its error is small against the largest results around it, not against its own
// terms. So it declares LAB_PRECISION(normwise) and is judged by that bound.
//
// ALGO: winograd, winograd_nonfused, fft, fft_tiling, or own_choice: the one of these that cuDNN expects to
// be fastest. Winograd's are for stride 1. Problems that it does not support are skipped with that reason.
//
// Limit: the transforms themselves; with few channels and filters there is nothing to set against them.
#include "lab/conv2d.h"
#include "lab/cudnn_conv2d.h"

LAB_NEEDS(cudnn);
LAB_PRECISION(normwise);

#ifndef ALGO
#define ALGO own_choice
#endif

using Algorithms = std::vector<lab::CudnnAlgorithm>;
static const Algorithms winograd = {{CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD, "winograd"}};
static const Algorithms winograd_nonfused = {
    {CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD_NONFUSED, "winograd_nonfused"}};
static const Algorithms fft = {{CUDNN_CONVOLUTION_FWD_ALGO_FFT, "fft"}};
static const Algorithms fft_tiling = {{CUDNN_CONVOLUTION_FWD_ALGO_FFT_TILING, "fft_tiling"}};
static const Algorithms own_choice = {winograd[0], winograd_nonfused[0], fft[0], fft_tiling[0]};

LAB_CONV2D_GPU(float)(const lab::Conv2d<float>& c, lab::Stream stream) {
  lab::cudnn_plan(c, ALGO).run(c, stream);
}
LAB_CONV2D_GPU(double)(const lab::Conv2d<double>& c, lab::Stream stream) {
  lab::cudnn_plan(c, ALGO).run(c, stream);
}
LAB_CONV2D_WORKSPACE(float)(const lab::Conv2d<float>& c) { return lab::cudnn_bytes(c, ALGO); }
LAB_CONV2D_WORKSPACE(double)(const lab::Conv2d<double>& c) { return lab::cudnn_bytes(c, ALGO); }

LAB_ABOUT() {
  static const std::string about = "cuDNN " + std::to_string(cudnnGetVersion());
  return about.c_str();
}
