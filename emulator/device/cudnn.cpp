#include "emulator/device/include/cudnn.h"

#include <algorithm>
#include <vector>

#include "emulator/device/arena.h"
#include "emulator/device/convolution.h"
#include "emulator/device/device.h"

struct cudnnContext {
  cudaStream_t stream = nullptr;
};

namespace {

using namespace lab::emulated;

template <class T>
cudnnStatus_t make(T** out) {
  if (!out) return CUDNN_STATUS_BAD_PARAM;
  *out = new T;
  return CUDNN_STATUS_SUCCESS;
}
template <class T>
cudnnStatus_t destroy(T* p) {
  delete p;
  return CUDNN_STATUS_SUCCESS;
}

bool is_real(cudnnDataType_t type) { return type == CUDNN_DATA_FLOAT || type == CUDNN_DATA_DOUBLE; }

template <class... N>
bool positive(N... n) {
  return (... && (n > 0));
}

/// Do the descriptors describe a convolution that the emulated device supports?
cudnnStatus_t check(cudnnHandle_t handle, const Convolution& c, cudnnTensorDescriptor_t y) {
  if (!handle) return CUDNN_STATUS_NOT_INITIALIZED;
  if (!c.x || !c.w || !c.how || !y) return CUDNN_STATUS_BAD_PARAM;
  int size[4];
  if (!positive(c.x->size[0], c.w->size[0]) || !output_size(c, size) || !std::equal(size, size + 4, y->size))
    return CUDNN_STATUS_BAD_PARAM;
  if (c.x->type != c.w->type || c.x->type != y->type) return CUDNN_STATUS_BAD_PARAM;
  return c.how->compute == c.x->type ? CUDNN_STATUS_SUCCESS : CUDNN_STATUS_NOT_SUPPORTED;
}

/// The recommended order of the algorithms: first those that support the convolution and have enough work
/// space, then the others with the reason.
void rank(const Convolution& c, size_t room, int asked, int* given, cudnnConvolutionFwdAlgoPerf_t* out) {
  std::vector<cudnnConvolutionFwdAlgoPerf_t> all;
  for (const auto algorithm :
       {CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM, CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM,
        CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD, CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD_NONFUSED,
        CUDNN_CONVOLUTION_FWD_ALGO_GEMM, CUDNN_CONVOLUTION_FWD_ALGO_FFT_TILING,
        CUDNN_CONVOLUTION_FWD_ALGO_FFT, CUDNN_CONVOLUTION_FWD_ALGO_DIRECT}) {
    const size_t memory = workspace_bytes(c, algorithm);
    const cudnnStatus_t status = !supports(c, algorithm) ? CUDNN_STATUS_NOT_SUPPORTED
                                 : memory > room         ? CUDNN_STATUS_ALLOC_FAILED
                                                         : CUDNN_STATUS_SUCCESS;
    all.push_back({algorithm, status, -1, memory, CUDNN_DETERMINISTIC, c.how->math, {}});
  }
  std::stable_partition(all.begin(), all.end(),
                        [](const auto& p) { return p.status == CUDNN_STATUS_SUCCESS; });
  *given = std::min(asked, static_cast<int>(all.size()));
  std::copy_n(all.begin(), *given, out);
}

template <class T>
cudnnStatus_t forward(const LibraryCall& call, const Convolution& c, const void* alpha, const void* x,
                      const void* w, void* workspace, size_t needed, const void* beta,
                      const cudnnTensorStruct& y_of, void* y) {
  const Box bytes = vector_box(static_cast<int64_t>(needed), 1), out = box_of(y_of);
  const T scale = *static_cast<const T*>(alpha), keep = *static_cast<const T*>(beta);
  if (!call.writes("the workspace", workspace, bytes, 1)) return CUDNN_STATUS_EXECUTION_FAILED;
  // The work space is overwritten, and with it each tensor that overlaps it.
  if (needed) unset(workspace, needed);
  call.wrote(workspace, bytes, 1);
  if (!call.reads("tensor x", x, box_of(*c.x), sizeof(T)) ||
      !call.reads("filter w", w, box_of(*c.w), sizeof(T)) || !call.writes("tensor y", y, out, sizeof(T)) ||
      (keep != T{0} && !call.reads("tensor y", y, out, sizeof(T))))
    return CUDNN_STATUS_EXECUTION_FAILED;
  convolve(c, scale, static_cast<const T*>(x), static_cast<const T*>(w), keep, y_of, static_cast<T*>(y));
  call.wrote(y, out, sizeof(T));
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t run(const LibraryCall& call, cudnnHandle_t handle, const Convolution& c, const void* alpha,
                  const void* x, const void* w, cudnnConvolutionFwdAlgo_t algorithm, void* workspace,
                  size_t room, const void* beta, cudnnTensorDescriptor_t y_of, void* y) {
  if (const cudnnStatus_t status = check(handle, c, y_of)) return status;
  if (!alpha || !beta || !x || !w || !y) return CUDNN_STATUS_BAD_PARAM;
  if (context_error() != cudaSuccess) return CUDNN_STATUS_EXECUTION_FAILED;
  if (!supports(c, algorithm)) return CUDNN_STATUS_NOT_SUPPORTED;
  const size_t needed = workspace_bytes(c, algorithm);
  if (needed > 0 && (room < needed || !workspace)) return CUDNN_STATUS_BAD_PARAM;
  if (!call.on_host("alpha", alpha) || !call.on_host("beta", beta)) return CUDNN_STATUS_EXECUTION_FAILED;
  const auto real = c.x->type == CUDNN_DATA_DOUBLE ? forward<double> : forward<float>;
  return real(call, c, alpha, x, w, workspace, needed, beta, *y_of, y);
}

}  // namespace

extern "C" {

size_t cudnnGetVersion() { return CUDNN_VERSION; }
const char* cudnnGetErrorString(cudnnStatus_t status) {
#define LAB_CASE(name, number) \
  case name:                   \
    return #name;
  switch (status) { LAB_CUDNN_STATUS(LAB_CASE) }
#undef LAB_CASE
  return "CUDNN_UNKNOWN_STATUS";
}

cudnnStatus_t cudnnCreate(cudnnHandle_t* handle) {
  if (!handle) return CUDNN_STATUS_BAD_PARAM;
  *handle = nullptr;
  return context_error() == cudaSuccess ? make(handle) : CUDNN_STATUS_NOT_INITIALIZED;
}
cudnnStatus_t cudnnDestroy(cudnnHandle_t handle) { return destroy(handle); }
cudnnStatus_t cudnnSetStream(cudnnHandle_t handle, cudaStream_t stream) {
  if (!handle) return CUDNN_STATUS_BAD_PARAM;
  handle->stream = stream;
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnGetStream(cudnnHandle_t handle, cudaStream_t* stream) {
  if (!handle || !stream) return CUDNN_STATUS_BAD_PARAM;
  *stream = handle->stream;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnCreateTensorDescriptor(cudnnTensorDescriptor_t* t) { return make(t); }
cudnnStatus_t cudnnDestroyTensorDescriptor(cudnnTensorDescriptor_t t) { return destroy(t); }
cudnnStatus_t cudnnSetTensor4dDescriptorEx(cudnnTensorDescriptor_t t, cudnnDataType_t type, int n, int c,
                                           int h, int w, int n_stride, int c_stride, int h_stride,
                                           int w_stride) {
  if (!t || !positive(n, c, h, w, n_stride, c_stride, h_stride, w_stride)) return CUDNN_STATUS_BAD_PARAM;
  if (!is_real(type)) return CUDNN_STATUS_NOT_SUPPORTED;
  *t = {type, {n, c, h, w}, {n_stride, c_stride, h_stride, w_stride}};
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnSetTensor4dDescriptor(cudnnTensorDescriptor_t t, cudnnTensorFormat_t format,
                                         cudnnDataType_t type, int n, int c, int h, int w) {
  if (!t || !positive(n, c, h, w)) return CUDNN_STATUS_BAD_PARAM;
  int plane = 0, image = 0, all = 0;
  if (format != CUDNN_TENSOR_NCHW || __builtin_mul_overflow(h, w, &plane) ||
      __builtin_mul_overflow(plane, c, &image) || __builtin_mul_overflow(image, n, &all))
    return CUDNN_STATUS_NOT_SUPPORTED;
  return cudnnSetTensor4dDescriptorEx(t, type, n, c, h, w, image, plane, w, 1);
}
cudnnStatus_t cudnnGetTensor4dDescriptor(cudnnTensorDescriptor_t t, cudnnDataType_t* type, int* n, int* c,
                                         int* h, int* w, int* n_stride, int* c_stride, int* h_stride,
                                         int* w_stride) {
  if (!t || !type) return CUDNN_STATUS_BAD_PARAM;
  *type = t->type;
  int* const sizes[] = {n, c, h, w};
  int* const strides[] = {n_stride, c_stride, h_stride, w_stride};
  for (int i = 0; i < 4; ++i) {
    if (!sizes[i] || !strides[i]) return CUDNN_STATUS_BAD_PARAM;
    *sizes[i] = t->size[i];
    *strides[i] = t->stride[i];
  }
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnCreateFilterDescriptor(cudnnFilterDescriptor_t* w) { return make(w); }
cudnnStatus_t cudnnDestroyFilterDescriptor(cudnnFilterDescriptor_t w) { return destroy(w); }
cudnnStatus_t cudnnSetFilter4dDescriptor(cudnnFilterDescriptor_t filter, cudnnDataType_t type,
                                         cudnnTensorFormat_t format, int k, int c, int h, int w) {
  if (!filter || !positive(k, c, h, w)) return CUDNN_STATUS_BAD_PARAM;
  if (!is_real(type) || format != CUDNN_TENSOR_NCHW) return CUDNN_STATUS_NOT_SUPPORTED;
  *filter = {type, {k, c, h, w}};
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnCreateConvolutionDescriptor(cudnnConvolutionDescriptor_t* how) { return make(how); }
cudnnStatus_t cudnnDestroyConvolutionDescriptor(cudnnConvolutionDescriptor_t how) { return destroy(how); }
cudnnStatus_t cudnnSetConvolution2dDescriptor(cudnnConvolutionDescriptor_t how, int pad_h, int pad_w,
                                              int stride_h, int stride_w, int dilation_h, int dilation_w,
                                              cudnnConvolutionMode_t mode, cudnnDataType_t compute) {
  if (!how || pad_h < 0 || pad_w < 0 || !positive(stride_h, stride_w, dilation_h, dilation_w) ||
      (mode != CUDNN_CONVOLUTION && mode != CUDNN_CROSS_CORRELATION))
    return CUDNN_STATUS_BAD_PARAM;
  if (!is_real(compute)) return CUDNN_STATUS_NOT_SUPPORTED;
  *how = {{pad_h, pad_w}, {stride_h, stride_w}, {dilation_h, dilation_w}, mode, compute, how->math};
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnSetConvolutionMathType(cudnnConvolutionDescriptor_t how, cudnnMathType_t math) {
  if (!how || math < CUDNN_DEFAULT_MATH || math > CUDNN_FMA_MATH) return CUDNN_STATUS_BAD_PARAM;
  how->math = math;
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnGetConvolutionMathType(cudnnConvolutionDescriptor_t how, cudnnMathType_t* math) {
  if (!how || !math) return CUDNN_STATUS_BAD_PARAM;
  *math = how->math;
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnSetConvolutionGroupCount(cudnnConvolutionDescriptor_t how, int groups) {
  if (!how || groups < 1) return CUDNN_STATUS_BAD_PARAM;
  return groups == 1 ? CUDNN_STATUS_SUCCESS : CUDNN_STATUS_NOT_SUPPORTED;
}

cudnnStatus_t cudnnGetConvolution2dForwardOutputDim(cudnnConvolutionDescriptor_t how,
                                                    cudnnTensorDescriptor_t x, cudnnFilterDescriptor_t filter,
                                                    int* n, int* c, int* h, int* w) {
  int size[4];
  if (!how || !x || !filter || !n || !c || !h || !w || !output_size({x, filter, how}, size))
    return CUDNN_STATUS_BAD_PARAM;
  *n = size[0], *c = size[1], *h = size[2], *w = size[3];
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnGetConvolutionForwardAlgorithmMaxCount(cudnnHandle_t handle, int* count) {
  if (!handle || !count) return CUDNN_STATUS_BAD_PARAM;
  *count = CUDNN_CONVOLUTION_FWD_ALGO_COUNT;
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnGetConvolutionForwardAlgorithm_v7(cudnnHandle_t handle, cudnnTensorDescriptor_t x,
                                                     cudnnFilterDescriptor_t w,
                                                     cudnnConvolutionDescriptor_t how,
                                                     cudnnTensorDescriptor_t y, int asked, int* given,
                                                     cudnnConvolutionFwdAlgoPerf_t* out) {
  if (const cudnnStatus_t status = check(handle, {x, w, how}, y)) return status;
  if (asked < 1 || !given || !out) return CUDNN_STATUS_BAD_PARAM;
  rank({x, w, how}, SIZE_MAX, asked, given, out);
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnFindConvolutionForwardAlgorithm(cudnnHandle_t handle, cudnnTensorDescriptor_t x,
                                                   cudnnFilterDescriptor_t w,
                                                   cudnnConvolutionDescriptor_t how,
                                                   cudnnTensorDescriptor_t y, int asked, int* given,
                                                   cudnnConvolutionFwdAlgoPerf_t* out) {
  return cudnnGetConvolutionForwardAlgorithm_v7(handle, x, w, how, y, asked, given, out);
}
cudnnStatus_t cudnnFindConvolutionForwardAlgorithmEx(cudnnHandle_t handle, cudnnTensorDescriptor_t x_of,
                                                     const void* x, cudnnFilterDescriptor_t w_of,
                                                     const void* w, cudnnConvolutionDescriptor_t how,
                                                     cudnnTensorDescriptor_t y_of, void* y, int asked,
                                                     int* given, cudnnConvolutionFwdAlgoPerf_t* out,
                                                     void* workspace, size_t room) {
  const LibraryCall call{"cudnnFindConvolutionForwardAlgorithmEx", __builtin_return_address(0)};
  const Convolution c{x_of, w_of, how};
  if (asked < 1 || !given || !out) return CUDNN_STATUS_BAD_PARAM;
  // Trying the algorithms writes y. alpha and beta are given in both types.
  const double one_d = 1, zero_d = 0;
  const float one = 1, zero = 0;
  const bool twice = x_of && x_of->type == CUDNN_DATA_DOUBLE;
  if (const cudnnStatus_t status = run(call, handle, c, twice ? static_cast<const void*>(&one_d) : &one, x, w,
                                       CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM, nullptr, 0,
                                       twice ? static_cast<const void*>(&zero_d) : &zero, y_of, y))
    return status;
  rank(c, workspace ? room : 0, asked, given, out);
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnGetConvolutionForwardWorkspaceSize(cudnnHandle_t handle, cudnnTensorDescriptor_t x,
                                                      cudnnFilterDescriptor_t w,
                                                      cudnnConvolutionDescriptor_t how,
                                                      cudnnTensorDescriptor_t y,
                                                      cudnnConvolutionFwdAlgo_t algorithm, size_t* bytes) {
  if (const cudnnStatus_t status = check(handle, {x, w, how}, y)) return status;
  if (!bytes) return CUDNN_STATUS_BAD_PARAM;
  if (!supports({x, w, how}, algorithm)) return CUDNN_STATUS_NOT_SUPPORTED;
  *bytes = workspace_bytes({x, w, how}, algorithm);
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnConvolutionForward(cudnnHandle_t handle, const void* alpha, cudnnTensorDescriptor_t x_of,
                                      const void* x, cudnnFilterDescriptor_t w_of, const void* w,
                                      cudnnConvolutionDescriptor_t how, cudnnConvolutionFwdAlgo_t algorithm,
                                      void* workspace, size_t room, const void* beta,
                                      cudnnTensorDescriptor_t y_of, void* y) {
  const LibraryCall call{"cudnnConvolutionForward", __builtin_return_address(0)};
  return run(call, handle, {x_of, w_of, how}, alpha, x, w, algorithm, workspace, room, beta, y_of, y);
}

}  // extern "C"
