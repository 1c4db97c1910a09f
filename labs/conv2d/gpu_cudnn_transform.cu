// cuDNN with algorithms that transform image and filter: fewer multiplications, different rounding.
//
// Compared with gpu_cudnn: winograd computes 2 x 2 results of a 3 x 3 filter with 16 multiplications
// instead of 36, from sums and differences of pixels; fft multiplies in the frequency domain. A result is
// no longer the sum of its own products: its error is relative to the largest results near it, not to its
// own terms. So the variant declares LAB_PRECISION(normwise), and the check uses that error bound.
//
// ALGO: winograd, winograd_nonfused, fft, fft_tiling, or own_choice: the one of these that cuDNN expects
// to be fastest. Winograd needs stride 1. Problems that an algorithm does not support are SKIPPED with
// that reason.
//
// What limits it: the transforms. With few channels and filters they cost more than they save.
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
