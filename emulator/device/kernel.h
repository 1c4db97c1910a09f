// The names that a kernel uses: its indices, barriers, fences, read-only loads.
//
// A function with the attribute `const` returns the same value for the whole life of a thread, so the
// compiler may call it once.
#pragma once

#include "emulator/device/types.h"

#define LAB_INLINE inline __attribute__((always_inline))
#define LAB_ONCE __attribute__((const))

extern "C" {
unsigned lab_thread_x() LAB_ONCE;
unsigned lab_thread_y() LAB_ONCE;
unsigned lab_thread_z() LAB_ONCE;
unsigned lab_block_x() LAB_ONCE;
unsigned lab_block_y() LAB_ONCE;
unsigned lab_block_z() LAB_ONCE;
unsigned lab_block_dim_x() LAB_ONCE;
unsigned lab_block_dim_y() LAB_ONCE;
unsigned lab_block_dim_z() LAB_ONCE;
unsigned lab_grid_dim_x() LAB_ONCE;
unsigned lab_grid_dim_y() LAB_ONCE;
unsigned lab_grid_dim_z() LAB_ONCE;
int lab_warp_size() LAB_ONCE;

/// The result of a barrier: for how many threads `predicate` holds, whether for all, whether for any.
typedef enum lab_vote { lab_vote_count, lab_vote_and, lab_vote_or } lab_vote;
/// `line` is the line in the source. It identifies the barrier, because the compiler may duplicate or merge
/// calls.
int lab_syncthreads(lab_vote vote, int predicate, int line);
void lab_fence();
long long lab_clock();
}

#define threadIdx (::uint3{lab_thread_x(), lab_thread_y(), lab_thread_z()})
#define blockIdx (::uint3{lab_block_x(), lab_block_y(), lab_block_z()})
#define blockDim (::dim3{lab_block_dim_x(), lab_block_dim_y(), lab_block_dim_z()})
#define gridDim (::dim3{lab_grid_dim_x(), lab_grid_dim_y(), lab_grid_dim_z()})
#define warpSize (lab_warp_size())

LAB_INLINE void __syncthreads(int line = __builtin_LINE()) { lab_syncthreads(lab_vote_count, 0, line); }
LAB_INLINE int __syncthreads_count(int predicate, int line = __builtin_LINE()) {
  return lab_syncthreads(lab_vote_count, predicate, line);
}
LAB_INLINE int __syncthreads_and(int predicate, int line = __builtin_LINE()) {
  return lab_syncthreads(lab_vote_and, predicate, line);
}
LAB_INLINE int __syncthreads_or(int predicate, int line = __builtin_LINE()) {
  return lab_syncthreads(lab_vote_or, predicate, line);
}

LAB_INLINE void __threadfence() { lab_fence(); }
LAB_INLINE void __threadfence_block() { lab_fence(); }
LAB_INLINE void __threadfence_system() { lab_fence(); }
LAB_INLINE long long clock64() { return lab_clock(); }

template <class T>
LAB_INLINE T __ldg(const T* p) {
  return *p;
}
template <class T>
LAB_INLINE T __ldcg(const T* p) {
  return *p;
}
template <class T>
LAB_INLINE T __ldca(const T* p) {
  return *p;
}
template <class T>
LAB_INLINE T __ldcs(const T* p) {
  return *p;
}
template <class T>
LAB_INLINE void __stcs(T* p, T v) {
  *p = v;
}
template <class T>
LAB_INLINE void __stcg(T* p, T v) {
  *p = v;
}

namespace lab::emulated {

/// The address of the shared variable `tag` in this block. The rewriter writes these calls.
void* shared_variable(const void* tag, size_t bytes, size_t alignment);
template <class T>
LAB_INLINE T& shared(const void* tag) {
  return *static_cast<T*>(shared_variable(tag, sizeof(T), alignof(T)));
}
/// The block's dynamic shared memory: `extern __shared__ T name[]`.
void* dynamic_shared();

}  // namespace lab::emulated
