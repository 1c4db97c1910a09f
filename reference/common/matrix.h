// Views of a problem's buffers as matrices of their type.
#pragma once

#include "harness/kernel/kernel.h"
#include "lab/bf16.h"

namespace harness {

/// Calls f(float{}), f(double{}) or f(bf16{}).
template <class F>
decltype(auto) with_type(Dtype dtype, F&& f) {
  if (dtype == Dtype::f32) return f(float{});
  if (dtype == Dtype::bf16) return f(bf16{});
  return f(double{});
}

/// A row-major matrix; it does not own its memory.
template <class T>
struct Matrix {
  T* data;
  int64_t rows, cols, ld;
  T* row(int64_t i) const { return data + i * ld; }
  T& at(int64_t i, int64_t j) const { return data[i * ld + j]; }
};

/// Buffer `index` of the problem as a matrix of T.
template <class T>
Matrix<const T> matrix(const Problem& problem, const ConstHostBuffers& buffers, size_t index) {
  const BufferSpec& s = problem.buffers()[index];
  return {reinterpret_cast<const T*>(buffers[index]), s.rows, s.cols, s.ld};
}
template <class T>
Matrix<T> matrix(const Problem& problem, const HostBuffers& buffers, size_t index) {
  const BufferSpec& s = problem.buffers()[index];
  return {reinterpret_cast<T*>(buffers[index]), s.rows, s.cols, s.ld};
}

}  // namespace harness
