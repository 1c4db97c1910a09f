// cuDNN with algorithms that add up the products of each result. This is the vendor library of the
// convolution ladder.
//
// ALGO is the algorithm: implicit_gemm (a matrix product that unfolds tiles of the image while it runs),
// implicit_precomp_gemm (the same, with offsets computed before), gemm (unfolds the whole image first),
// direct; own_choice: the one of these that cuDNN expects to be fastest; or fastest: the fastest of these
// when cuDNN runs all of them, once per problem and outside the timed calls. Its expectation can be wrong:
// for 4096 x 4096 pixels, 3 channels and 1 filter on an H200, own_choice takes 1.96 ms and fastest 0.81 ms.
// Problems that an algorithm does not support are SKIPPED with that reason. Algorithms that transform the
// image round differently; they are in gpu_cudnn_transform.
//
// Descriptors, algorithm and work space are set up before the timed call (lab/cudnn_conv2d.h). Inputs are
// not rounded to TF32.
//
// What limits it: cuDNN is made for many channels and filters. With 3 channels and 1 filter most of its
// tiles is empty.
#include "lab/conv2d.h"
#include "lab/cudnn_conv2d.h"

LAB_NEEDS(cudnn);

#ifndef ALGO
#define ALGO fastest
#endif

using Choice = lab::CudnnChoice;
static const Choice implicit_gemm = {{{CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM, "implicit_gemm"}}};
static const Choice implicit_precomp_gemm = {
    {{CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM, "implicit_precomp_gemm"}}};
static const Choice gemm = {{{CUDNN_CONVOLUTION_FWD_ALGO_GEMM, "gemm"}}};
static const Choice direct = {{{CUDNN_CONVOLUTION_FWD_ALGO_DIRECT, "direct"}}};
static const Choice own_choice = {
    {implicit_gemm.allowed[0], implicit_precomp_gemm.allowed[0], gemm.allowed[0], direct.allowed[0]}};
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
