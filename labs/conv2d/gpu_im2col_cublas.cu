// The image is unfolded on the GPU (lab/unfold.h), then cuBLAS computes the matrix product.
//
// Compared with gpu_im2col: the same unfolded image, in the same chunks; only the product is the vendor's.
// cuBLAS stores matrices column by column, so a row-major matrix is its transpose there. We ask for
// transpose(unfolded) x transpose(filters), with the sizes in that order.
//
// cuBLAS must not round the inputs to TF32 (CUBLAS_PEDANTIC_MATH).
//
// What limits it: the unfolding, as in gpu_im2col, until there are so many filters that the product takes
// longer.
#include <cublas_v2.h>

#include <limits>
#include <stdexcept>
#include <string>

#include "lab/conv2d.h"
#include "lab/unfold.h"

LAB_NEEDS(cublas);

static void require(cublasStatus_t status) {
  if (status != CUBLAS_STATUS_SUCCESS)
    throw std::runtime_error(std::string("cuBLAS: ") + cublasGetStatusString(status));
}

/// Created once, because that takes much longer than a product. It keeps no data of a problem.
static cublasHandle_t handle() {
  static const cublasHandle_t made = [] {
    cublasHandle_t h;
    require(cublasCreate(&h));
    require(cublasSetMathMode(h, CUBLAS_PEDANTIC_MATH));
    return h;
  }();
  return made;
}

static int size(int64_t n) {
  if (n > std::numeric_limits<int>::max())
    throw std::length_error("too large for cuBLAS, which counts in 32 bits");
  return static_cast<int>(n);
}

template <class T>
static void multiply(const lab::Conv2d<T>& c, const lab::Chunk& chunk, int64_t taps, const T* unfolded) {
  constexpr auto gemm = [] {
    if constexpr (sizeof(T) == 4)
      return cublasSgemmStridedBatched;
    else
      return cublasDgemmStridedBatched;
  }();
  const T one = 1, zero = 0;
  const int64_t pixels = c.out_height * c.out_width;
  T* out = c.output + chunk.image * c.filters * pixels + chunk.first;
  require(gemm(handle(), CUBLAS_OP_N, CUBLAS_OP_N, size(chunk.pixels), size(c.filters), size(taps), &one,
               unfolded, size(chunk.pixels), taps * chunk.pixels, c.filter, size(taps), 0, &zero, out,
               size(pixels), c.filters * pixels, size(chunk.images)));
}

template <class T>
static void launch(const lab::Conv2d<T>& c, lab::Stream stream) {
  require(cublasSetStream(handle(), stream));
  const lab::Unfolding<T> unfolding{c};
  T* unfolded = static_cast<T*>(c.workspace);
  unfolding.each_chunk([&](const lab::Chunk& chunk) {
    lab::launch_unfold(c, chunk, unfolded, stream);
    multiply(c, chunk, unfolding.taps, unfolded);
  });
}

LAB_CONV2D_GPU(float)(const lab::Conv2d<float>& c, lab::Stream stream) { launch(c, stream); }
LAB_CONV2D_GPU(double)(const lab::Conv2d<double>& c, lab::Stream stream) { launch(c, stream); }
LAB_CONV2D_WORKSPACE(float)(const lab::Conv2d<float>& c) { return lab::Unfolding<float>{c}.bytes(); }
LAB_CONV2D_WORKSPACE(double)(const lab::Conv2d<double>& c) { return lab::Unfolding<double>{c}.bytes(); }
