// Pieces of 16 bytes of a row: the most that one load or store of a GPU thread can move, 4 floats or 2
// doubles.
//
// The hardware does this only for addresses that are multiples of 16. So a kernel has two versions:
// <aligned = true> for matrices whose rows all begin at such addresses, and one for all others.
#pragma once

#include "lab/gemm.h"

namespace lab {

template <class T>
struct alignas(16) Piece {
  static constexpr int length = 16 / sizeof(T);
  T at[length];
};

/// The piece of a row that starts at column `at`. Columns from `count` on are not read and become 0.
template <bool aligned, class T>
__device__ __forceinline__ Piece<T> load_piece(const T* row, int64_t at, int64_t count) {
  if (aligned && at + Piece<T>::length <= count) return *reinterpret_cast<const Piece<T>*>(row + at);
  Piece<T> piece;
#pragma unroll
  for (int e = 0; e < Piece<T>::length; ++e) piece.at[e] = at + e < count ? row[at + e] : T(0);
  return piece;
}

/// lab::update of gemm.h for the elements of the piece at (row, col) that are inside C.
template <bool aligned, class T>
__device__ __forceinline__ void update_piece(const Gemm<T>& g, int64_t row, int64_t col, const T* sum) {
  if (row >= g.m) return;
  T* c = g.c + row * g.ldc + col;
  if (aligned && col + Piece<T>::length <= g.n) {
    Piece<T> piece{};
    if (g.beta != 0) piece = *reinterpret_cast<Piece<T>*>(c);
#pragma unroll
    for (int e = 0; e < Piece<T>::length; ++e) update(piece.at[e], sum[e], g.alpha, g.beta);
    *reinterpret_cast<Piece<T>*>(c) = piece;
    return;
  }
#pragma unroll
  for (int e = 0; e < Piece<T>::length; ++e)
    if (col + e < g.n) update(c[e], sum[e], g.alpha, g.beta);
}

/// Whether all rows of A, B and C begin at multiples of 16 bytes.
template <class T>
bool rows_aligned(const Gemm<T>& g) {
  const auto all = reinterpret_cast<uintptr_t>(g.a) | reinterpret_cast<uintptr_t>(g.b) |
                   reinterpret_cast<uintptr_t>(g.c) |
                   static_cast<uintptr_t>((g.lda | g.ldb | g.ldc) * static_cast<int64_t>(sizeof(T)));
  return all % 16 == 0;
}

}  // namespace lab
