// cuDNN with algorithms that transform image and filter: fewer multiplications, different rounding.
//
// Compared with gpu_cudnn: winograd computes 2 x 2 results of a 3 x 3 filter with 16 multiplications
// instead of 36, from sums and differences of pixels; fft multiplies in the frequency domain. A result is
// no longer the sum of its own products: its error is relative to the largest results near it, not to its
// own terms. So the variant declares LAB_PRECISION(normwise), and the check uses that error bound.
//
// ALGO: winograd, winograd_nonfused, fft, fft_tiling; own_choice: the one of these that cuDNN expects to be
// fastest; or fastest: the fastest of these when cuDNN runs all of them, once per problem and outside the
// timed calls. Winograd needs stride 1, and is used only for filters up to 3 x 3, because larger ones lose
// too many digits. Problems that an algorithm does not support are SKIPPED with that reason.
//
// What limits it: the transforms. With few channels and filters they cost more than they save.
#include "lab/conv2d.h"
#include "lab/cudnn_conv2d.h"

LAB_NEEDS(cudnn);
LAB_PRECISION(normwise);

#ifndef ALGO
#define ALGO fastest
#endif

using Choice = lab::CudnnChoice;
static const Choice winograd = {{{CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD, "winograd"}}};
static const Choice winograd_nonfused = {
    {{CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD_NONFUSED, "winograd_nonfused"}}};
static const Choice fft = {{{CUDNN_CONVOLUTION_FWD_ALGO_FFT, "fft"}}};
static const Choice fft_tiling = {{{CUDNN_CONVOLUTION_FWD_ALGO_FFT_TILING, "fft_tiling"}}};
static const Choice own_choice = {
    {winograd.allowed[0], winograd_nonfused.allowed[0], fft.allowed[0], fft_tiling.allowed[0]}};
static const Choice fastest = {own_choice.allowed, lab::CudnnSearch::measure};

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
LAB_CHOICE() { return lab::cudnn_choice(); }
