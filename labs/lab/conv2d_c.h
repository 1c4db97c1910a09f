// lab/conv2d.h in C:
//
//   LAB_CONV2D_CPU(float)(const lab_conv2d_float* c) { ... }
//   LAB_CONV2D_WORKSPACE(float)(const lab_conv2d_float* c) { return c->height * c->width * sizeof(float); }
#pragma once

#include "lab/c.h"

struct lab_conv2d_problem {  // Conv2dProblem
  int64_t batch, channels, height, width;
  int64_t filters, filter_height, filter_width;
  int64_t stride, padding;
};

#define LAB_CONV2D_TYPE(T)                                                                                         \
  typedef struct lab_conv2d_##T {                                                                                  \
    int64_t batch, channels, height, width;                                                                        \
    int64_t filters, filter_height, filter_width;                                                                  \
    int64_t stride, padding;                                                                                       \
    int64_t out_height, out_width;                                                                                 \
    const T* input;                                                                                                \
    const T* filter;                                                                                               \
    T* output;                                                                                                     \
    void* workspace;                                                                                               \
  } lab_conv2d_##T;                                                                                                \
  static inline lab_conv2d_##T lab_unpack_conv2d_##T(const void* problem, void* const* buffers, void* workspace) { \
    const struct lab_conv2d_problem* p = (const struct lab_conv2d_problem*)problem;                                \
    const lab_conv2d_##T c = {p->batch,                                                                            \
                              p->channels,                                                                         \
                              p->height,                                                                           \
                              p->width,                                                                            \
                              p->filters,                                                                          \
                              p->filter_height,                                                                    \
                              p->filter_width,                                                                     \
                              p->stride,                                                                           \
                              p->padding,                                                                          \
                              (p->height + 2 * p->padding - p->filter_height) / p->stride + 1,                     \
                              (p->width + 2 * p->padding - p->filter_width) / p->stride + 1,                       \
                              buffers ? (const T*)buffers[0] : NULL,                                               \
                              buffers ? (const T*)buffers[1] : NULL,                                               \
                              buffers ? (T*)buffers[2] : NULL,                                                     \
                              workspace};                                                                          \
    return c;                                                                                                      \
  }

LAB_CONV2D_TYPE(float)
LAB_CONV2D_TYPE(double)

#define LAB_CONV2D_CPU(T) LAB_C_CPU(conv2d, T)
#define LAB_CONV2D_WORKSPACE(T) LAB_C_WORKSPACE(conv2d, T)
