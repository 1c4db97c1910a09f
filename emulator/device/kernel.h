// The names that a kernel uses: its indices, barriers, fences, read-only loads.
//
// A function with the attribute `const` returns the same value for the whole life of a thread, so the
// compiler may call it once.
#pragma once

#include "emulator/device/types.h"

#define LAB_INLINE inline __attribute__((always_inline))
#define LAB_ONCE __attribute__((const))

// Variables, as for nvcc, so that a program may use the names for its own. They are const, so that reads of them are not
// watched and the compiler may read them once: they never change while a thread lives. Outside a launch the
// indices are 0 and the extents 1.
#define LAB_INDEX(name, symbol) \
  extern const __thread uint3 name __asm__(symbol) __attribute__((visibility("hidden"), tls_model("initial-exec")))
LAB_INDEX(threadIdx, "lab_thread_index");
LAB_INDEX(blockIdx, "lab_block_index");
LAB_INDEX(blockDim, "lab_block_extent");
LAB_INDEX(gridDim, "lab_grid_extent");
#undef LAB_INDEX
extern const int warpSize __asm__("lab_lanes") __attribute__((visibility("hidden")));

extern "C" {
int lab_warp_size() LAB_ONCE;

/// The result of a barrier: for how many threads `predicate` holds, whether for all, whether for any.
typedef enum lab_vote { lab_vote_count, lab_vote_and, lab_vote_or } lab_vote;
/// `line` is the line in the source. It identifies the barrier, because the compiler may duplicate or merge
/// calls.
int lab_syncthreads(lab_vote vote, int predicate, int line);
/// For whom memory accesses are in order.
typedef enum lab_scope { lab_scope_block, lab_scope_device } lab_scope;
void lab_fence(lab_scope scope);
long long lab_clock();
/// Waits for all threads of a cooperative launch.
void lab_grid_sync(int line);
int lab_launched_together();
/// Lets other threads of the block run.
void lab_yield();
/// A variable of the host: kernels cannot touch these bytes.
void lab_host_variable(const volatile void* p, size_t bytes);
}

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

LAB_INLINE void __threadfence() { lab_fence(lab_scope_device); }
LAB_INLINE void __threadfence_block() { lab_fence(lab_scope_block); }
LAB_INLINE void __threadfence_system() { lab_fence(lab_scope_device); }
LAB_INLINE long long clock64() { return lab_clock(); }
LAB_INLINE unsigned long long __globaltimer() { return static_cast<unsigned long long>(lab_clock()); }
LAB_INLINE void __nanosleep(unsigned) { lab_yield(); }
LAB_INLINE void __trap() { __builtin_trap(); }
LAB_INLINE void __brkpt() {}
// All memory has one address space.
LAB_INLINE size_t __cvta_generic_to_global(const void* p) { return reinterpret_cast<size_t>(p); }
LAB_INLINE size_t __cvta_generic_to_shared(const void* p) { return reinterpret_cast<size_t>(p); }
LAB_INLINE void* __cvta_global_to_generic(size_t p) { return reinterpret_cast<void*>(p); }
LAB_INLINE void* __cvta_shared_to_generic(size_t p) { return reinterpret_cast<void*>(p); }
LAB_INLINE void __prof_trigger(int) {}

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
LAB_INLINE T __ldlu(const T* p) {
  return *p;
}
template <class T>
LAB_INLINE T __ldcv(const T* p) {
  return *p;
}
template <class T>
LAB_INLINE void __stwb(T* p, T v) {
  *p = v;
}
template <class T>
LAB_INLINE void __stwt(T* p, T v) {
  *p = v;
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
LAB_INLINE T& shared(const void* tag, size_t alignment = alignof(T)) {
  return *static_cast<T*>(shared_variable(tag, sizeof(T), alignment));
}
/// The block's dynamic shared memory: `extern __shared__ T name[]`.
void* dynamic_shared();
/// The same, for a second array in one function.
[[gnu::warning("all extern __shared__ arrays begin at the same byte: take parts of one")]] void* dynamic_shared_again();

/// The rewriter puts one behind each variable of the host that it finds.
struct HostVariable {
  HostVariable(const volatile void* p, size_t bytes) { lab_host_variable(p, bytes); }
};

}  // namespace lab::emulated
