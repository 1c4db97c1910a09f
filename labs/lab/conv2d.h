// The common interface of the convolution variants: every filter slides over every image of the batch.
//
//   output(b, f, y, x) = sum over c, r, s of filter(f, c, r, s) * input(b, c, y * stride + r - padding,
//                                                                            x * stride + s - padding)
//
// Outside its edges an image is 0. The filter is not flipped (cross-correlation, as in cuDNN and PyTorch).
// All buffers are dense, and the last index changes fastest (NCHW):
//   input  batch x channels x height x width
//   filter filters x channels x filter_height x filter_width
//   output batch x filters x out_height x out_width; do not read it, it may hold NaN
//
//   LAB_CONV2D_CPU(float)(const lab::Conv2d<float>& c) { ... }
//   LAB_CONV2D_GPU(float)(const lab::Conv2d<float>& c, lab::Stream stream) { k<<<grid, block, 0,
//   stream>>>(c); }
//
// GPU variants get device pointers. They enqueue their work on `stream` and return; they do not allocate,
// copy, wait or time. A variant that needs scratch memory says how much and finds it in c.workspace, aligned
// to 256 bytes. (When the harness asks, there are no buffers yet: input, filter, output and workspace are
// null.)
//
//   LAB_CONV2D_WORKSPACE(float)(const lab::Conv2d<float>& c) { return c.height * c.width * sizeof(float); }
//
// A variant that tells what it launches gets the metrics warps_occupied and efficiency; there are no buffers
// yet here either:
//
//   LAB_CONV2D_LAUNCH(float)(const lab::Conv2d<float>& c) { return {blocks, threads_a_block}; }
#pragma once

#ifndef __cplusplus
#include "lab/conv2d_c.h"
#else
#include "lab/types.h"

namespace lab {

template <class T>
struct Conv2d {
  int64_t batch, channels, height, width;
  int64_t filters, filter_height, filter_width;
  int64_t stride, padding;  // the same in both directions; stride is at least 1, padding at least 0
  int64_t out_height, out_width;
  const T* input;
  const T* filter;
  T* output;
  void* workspace;
};

/// Number of output pixels along one edge of the image.
LAB_HOST_DEVICE constexpr int64_t output_edge(int64_t edge, int64_t filter, int64_t stride, int64_t padding) {
  return (edge + 2 * padding - filter) / stride + 1;
}

/// The problem as the harness passes it to the variant. The buffers are input, filter, output in this order.
struct Conv2dProblem {
  int64_t batch, channels, height, width;
  int64_t filters, filter_height, filter_width;
  int64_t stride, padding;
};

template <class T>
Conv2d<T> unpack_conv2d(const void* problem, void* const* buffers, void* workspace) {
  const Conv2dProblem& p = *static_cast<const Conv2dProblem*>(problem);
  // LAB_CONV2D_WORKSPACE is called before there are buffers.
  const auto buffer = [&](int i) { return buffers ? static_cast<T*>(buffers[i]) : nullptr; };
  return {p.batch,
          p.channels,
          p.height,
          p.width,
          p.filters,
          p.filter_height,
          p.filter_width,
          p.stride,
          p.padding,
          output_edge(p.height, p.filter_height, p.stride, p.padding),
          output_edge(p.width, p.filter_width, p.stride, p.padding),
          buffer(0),
          buffer(1),
          buffer(2),
          workspace};
}

}  // namespace lab

#define LAB_CONV2D_CPU(T)                                                                  \
  static void LAB_SYMBOL(lab_body_conv2d_, T)(const lab::Conv2d<T>& c);                    \
  LAB_EXPORT int LAB_SYMBOL(lab_cpu_conv2d_, T)(const void* problem, void* const* buffers, \
                                                void* workspace) {                         \
    return lab::guarded([&] {                                                              \
      LAB_SYMBOL(lab_body_conv2d_, T)(lab::unpack_conv2d<T>(problem, buffers, workspace)); \
    });                                                                                    \
  }                                                                                        \
  static void LAB_SYMBOL(lab_body_conv2d_, T)

#define LAB_CONV2D_GPU(T)                                                                                   \
  static void LAB_SYMBOL(lab_body_conv2d_, T)(const lab::Conv2d<T>& c, lab::Stream stream);                 \
  LAB_EXPORT int LAB_SYMBOL(lab_gpu_conv2d_, T)(const void* problem, void* const* buffers, void* workspace, \
                                                void* stream) {                                             \
    return lab::guarded([&] {                                                                               \
      LAB_SYMBOL(lab_body_conv2d_, T)                                                                       \
      (lab::unpack_conv2d<T>(problem, buffers, workspace), static_cast<lab::Stream>(stream));               \
    });                                                                                                     \
  }                                                                                                         \
  static void LAB_SYMBOL(lab_body_conv2d_, T)

#define LAB_CONV2D_WORKSPACE(T)                                                                \
  static size_t LAB_SYMBOL(lab_space_conv2d_, T)(const lab::Conv2d<T>& c);                     \
  LAB_EXPORT size_t LAB_SYMBOL(lab_workspace_conv2d_, T)(const void* problem) {                \
    return LAB_SYMBOL(lab_space_conv2d_, T)(lab::unpack_conv2d<T>(problem, nullptr, nullptr)); \
  }                                                                                            \
  static size_t LAB_SYMBOL(lab_space_conv2d_, T)

#define LAB_CONV2D_LAUNCH(T)                                                                   \
  static lab_launch LAB_SYMBOL(lab_shape_conv2d_, T)(const lab::Conv2d<T>& c);                 \
  LAB_EXPORT void LAB_SYMBOL(lab_launch_conv2d_, T)(const void* problem, lab_launch* out) {    \
    *out = LAB_SYMBOL(lab_shape_conv2d_, T)(lab::unpack_conv2d<T>(problem, nullptr, nullptr)); \
  }                                                                                            \
  static lab_launch LAB_SYMBOL(lab_shape_conv2d_, T)

#endif  // __cplusplus
