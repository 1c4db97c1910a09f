#include "emulator/device/convolution.h"

#include <algorithm>
#include <vector>

namespace lab::emulated {
namespace {

/// Outputs [first, last) of a row whose input x * stride + shift lies inside [0, extent).
struct Range {
  int64_t first, last;
};
Range inside(int64_t outputs, int64_t stride, int64_t shift, int64_t extent) {
  Range r{shift < 0 ? (-shift + stride - 1) / stride : 0, outputs};
  const int64_t room = extent - shift;  // x * stride < room
  if (room <= 0) return {0, 0};
  r.last = std::min(r.last, (room + stride - 1) / stride);
  return r;
}

}  // namespace

bool output_size(const Convolution& c, int* size) {
  if (c.x->size[1] != c.w->size[1]) return false;
  size[0] = c.x->size[0];
  size[1] = c.w->size[0];
  for (int i = 0; i < 2; ++i) {
    const int64_t filter = int64_t{c.w->size[2 + i] - 1} * c.how->dilation[i] + 1;
    const int64_t room = c.x->size[2 + i] + 2 * int64_t{c.how->pad[i]} - filter;
    if (room < 0) return false;
    size[2 + i] = static_cast<int>(room / c.how->stride[i] + 1);
  }
  return true;
}

bool supports(const Convolution& c, cudnnConvolutionFwdAlgo_t algorithm) {
  const auto both = [](const int* pair, int value) { return pair[0] == value && pair[1] == value; };
  const bool dense = both(c.how->stride, 1) && both(c.how->dilation, 1);
  const int* filter = c.w->size + 2;
  switch (algorithm) {
    case CUDNN_CONVOLUTION_FWD_ALGO_FFT:
    case CUDNN_CONVOLUTION_FWD_ALGO_FFT_TILING:
      return dense && c.how->pad[0] < filter[0] && c.how->pad[1] < filter[1];
    case CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD:
      return dense && both(filter, 3);
    case CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD_NONFUSED:
      return dense && (both(filter, 3) || both(filter, 5));
    default:
      return algorithm >= 0 && algorithm < CUDNN_CONVOLUTION_FWD_ALGO_COUNT;
  }
}

size_t workspace_bytes(const Convolution& c, cudnnConvolutionFwdAlgo_t algorithm) {
  int out[4];
  if (!output_size(c, out)) return 0;
  const auto product = [](const int* size) {
    return static_cast<size_t>(size[1]) * static_cast<size_t>(size[2]) * static_cast<size_t>(size[3]);
  };
  const size_t filter = product(c.w->size);
  switch (algorithm) {
    case CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM:
      return filter * sizeof(int);  // the start of each row of the matrix
    case CUDNN_CONVOLUTION_FWD_ALGO_GEMM:
      // The matrix itself (im2col): a column for each output pixel of the batch.
      return filter * static_cast<size_t>(out[0]) * static_cast<size_t>(out[2]) *
             static_cast<size_t>(out[3]) * (c.x->type == CUDNN_DATA_DOUBLE ? sizeof(double) : sizeof(float));
    default:
      return 0;
  }
}

Box box_of(const cudnnTensorStruct& t) {
  return {{t.size[0], t.size[1], t.size[2], t.size[3]}, {t.stride[0], t.stride[1], t.stride[2], t.stride[3]}};
}

Box box_of(const cudnnFilterStruct& w) {
  const int64_t plane = int64_t{w.size[2]} * w.size[3];
  return {{w.size[0], w.size[1], w.size[2], w.size[3]}, {plane * w.size[1], plane, w.size[3], 1}};
}

template <class T>
void convolve(const Convolution& c, T alpha, const T* x, const T* w, T beta, const cudnnTensorStruct& y_of,
              T* y) {
  const auto offset = [](const int* stride, int64_t a, int64_t b, int64_t row) {
    return a * stride[0] + b * stride[1] + row * stride[2];
  };
  const int* filter = c.w->size;
  const int64_t columns = y_of.size[3], step = c.how->stride[1];
  std::vector<T> sums(static_cast<size_t>(columns));
  for (int64_t n = 0; n < y_of.size[0]; ++n)
    for (int64_t k = 0; k < filter[0]; ++k)
      for (int64_t row = 0; row < y_of.size[2]; ++row) {
        std::fill(sums.begin(), sums.end(), T{0});
        for (int64_t channel = 0; channel < filter[1]; ++channel)
          for (int64_t r = 0; r < filter[2]; ++r) {
            const int64_t from = row * c.how->stride[0] + r * c.how->dilation[0] - c.how->pad[0];
            if (from < 0 || from >= c.x->size[2]) continue;
            const T* line = x + offset(c.x->stride, n, channel, from);
            for (int64_t s = 0; s < filter[3]; ++s) {
              const bool turned = c.how->mode == CUDNN_CONVOLUTION;
              const int64_t at_r = turned ? filter[2] - 1 - r : r, at_s = turned ? filter[3] - 1 - s : s;
              const T factor = w[((k * filter[1] + channel) * filter[2] + at_r) * filter[3] + at_s];
              const int64_t shift = s * c.how->dilation[1] - c.how->pad[1];
              const Range in = inside(columns, step, shift, c.x->size[3]);
              for (int64_t q = in.first; q < in.last; ++q)
                sums[static_cast<size_t>(q)] += factor * line[(q * step + shift) * c.x->stride[3]];
            }
          }
        T* out = y + offset(y_of.stride, n, k, row);
        for (int64_t q = 0; q < columns; ++q) {
          T& value = out[q * y_of.stride[3]];
          value = alpha * sums[static_cast<size_t>(q)] + (beta == T{0} ? T{0} : beta * value);
        }
      }
}

template void convolve(const Convolution&, float, const float*, const float*, float, const cudnnTensorStruct&,
                       float*);
template void convolve(const Convolution&, double, const double*, const double*, double,
                       const cudnnTensorStruct&, double*);

}  // namespace lab::emulated
