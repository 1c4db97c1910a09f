// Right kernels in the problem's own type. Each adds up in another order, and the check must accept all of
// them.
#include <algorithm>

#include "reference/gemm/problem.h"

namespace harness::gemm {

namespace {

using lab::Sum;

template <class T>
Sum<T> product(const lab::Gemm<T>& g, int64_t i, int64_t j, int64_t p) {
  return g.a[i * g.lda + p] * g.b[p * g.ldb + j];
}

template <class T>
Sum<T> sequential(const lab::Gemm<T>& g, int64_t i, int64_t j) {
  Sum<T> sum = 0;
  for (int64_t p = 0; p < g.k; ++p) sum += product(g, i, j, p);
  return sum;
}

template <class T>
Sum<T> reversed(const lab::Gemm<T>& g, int64_t i, int64_t j) {
  Sum<T> sum = 0;
  for (int64_t p = g.k - 1; p >= 0; --p) sum += product(g, i, j, p);
  return sum;
}

/// Like eight vector lanes.
template <class T>
Sum<T> split_8(const lab::Gemm<T>& g, int64_t i, int64_t j) {
  Sum<T> lane[8] = {};
  for (int64_t p = 0; p < g.k; ++p) lane[p % 8] += product(g, i, j, p);
  return ((lane[0] + lane[1]) + (lane[2] + lane[3])) + ((lane[4] + lane[5]) + (lane[6] + lane[7]));
}

/// Like a tiled kernel.
template <class T>
Sum<T> blocks_of_32(const lab::Gemm<T>& g, int64_t i, int64_t j) {
  Sum<T> sum = 0;
  for (int64_t p0 = 0; p0 < g.k; p0 += 32) {
    Sum<T> block = 0;
    for (int64_t p = p0; p < std::min(p0 + 32, g.k); ++p) block += product(g, i, j, p);
    sum += block;
  }
  return sum;
}

template <class T>
Sum<T> finish(const lab::Gemm<T>& g, int64_t i, int64_t j, Sum<T> sum) {
  return g.beta == 0 ? g.alpha * sum : g.alpha * sum + g.beta * g.c[i * g.ldc + j];
}

template <class T>
using Dot = Sum<T> (*)(const lab::Gemm<T>&, int64_t, int64_t);

template <class T, class Cell>
RightKernel kernel(std::string name, Cell cell) {
  return {std::move(name), [cell](const Problem& problem, const HostBuffers& buffers) {
            void* const raw[] = {buffers[0], buffers[1], buffers[2]};
            const auto g = lab::unpack_gemm<T>(problem.blob().data(), raw, nullptr);
            for (int64_t i = 0; i < g.m; ++i)
              for (int64_t j = 0; j < g.n; ++j) g.c[i * g.ldc + j] = cell(g, i, j);
          }};
}

template <class T>
RightKernel kernel_of(std::string name, Dot<T> dot) {
  return kernel<T>(std::move(name), [dot](const lab::Gemm<T>& g, int64_t i, int64_t j) {
    return finish(g, i, j, dot(g, i, j));
  });
}

/// Starts with beta C and scales every product by alpha: the order with the most roundings.
template <class T>
Sum<T> scaled_terms(const lab::Gemm<T>& g, int64_t i, int64_t j) {
  Sum<T> sum = g.beta == 0 ? Sum<T>(0) : g.beta * g.c[i * g.ldc + j];
  for (int64_t p = 0; p < g.k; ++p) sum += (g.alpha * g.a[i * g.lda + p]) * g.b[p * g.ldb + j];
  return sum;
}

/// Rounds to the type of C before it adds beta C, as cuBLAS 13.0 does in bfloat16 at some sizes.
template <class T>
Sum<T> rounded_twice(const lab::Gemm<T>& g, int64_t i, int64_t j) {
  const auto product = static_cast<Sum<T>>(static_cast<T>(g.alpha * sequential(g, i, j)));
  return g.beta == 0 ? product : product + g.beta * g.c[i * g.ldc + j];
}

}  // namespace

std::vector<RightKernel> right_kernels(Dtype dtype) {
  return with_type(dtype, [](auto type) -> std::vector<RightKernel> {
    using T = decltype(type);
    return {kernel_of<T>("sequential", sequential<T>), kernel_of<T>("reversed", reversed<T>),
            kernel_of<T>("split_8", split_8<T>), kernel_of<T>("blocks_of_32", blocks_of_32<T>),
            kernel<T>("scaled_terms", scaled_terms<T>), kernel<T>("rounded_twice", rounded_twice<T>)};
  });
}

}  // namespace harness::gemm
