// Atomic functions on 4 and 8 bytes, with relaxed order as on a real device.
#pragma once

#include <bit>

#include "emulator/device/kernel.h"

extern "C" {
/// Tells the device about an atomic access before it happens, so that it checks bounds, alignment and races
/// with plain accesses.
/// True if the thread gives a lock back.
bool lab_atomic(const void* p, unsigned bytes);
/// The same, but gives no advice that lanes wait for each other: for loads of cuda::atomic (on the host: a read) and the counters of a
/// cuda::barrier.
void lab_atomic_uncounted(const void* p, unsigned bytes);
/// An atomic write that does not use the old value, which may be uninitialised.
bool lab_atomic_overwrite(const void* p, unsigned bytes);
/// The thread has changed *p from 0 to another value: it may be a lock.
void lab_may_take(const void* p);
/// atomicCAS compares *p with what the thread may have read there before.
void lab_guessed(const void* p);
/// The thread will update *p atomically for the threads of its block, not for those of others.
void lab_only_for_block(const void* p);
/// *p = desired if *p has the bits of `expected`. Returns the old value.
uint32_t lab_exchange_if_32(void* p, uint32_t expected, uint32_t desired);
uint64_t lab_exchange_if_64(void* p, uint64_t expected, uint64_t desired);
}

namespace lab::emulated {

template <class T>
LAB_INLINE T exchange_if(T* p, T expected, T desired) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "atomic functions take 4 or 8 bytes");
  if constexpr (sizeof(T) == 4)
    return std::bit_cast<T>(
        lab_exchange_if_32(p, std::bit_cast<uint32_t>(expected), std::bit_cast<uint32_t>(desired)));
  else
    return std::bit_cast<T>(
        lab_exchange_if_64(p, std::bit_cast<uint64_t>(expected), std::bit_cast<uint64_t>(desired)));
}

/// Reads, changes and writes in one step. Returns the old value.
template <class T, class Change>
LAB_INLINE T atomically_quiet(T* p, Change change) {
  T seen = exchange_if(p, T{}, T{});
  for (;;) {
    const T before = exchange_if(p, seen, static_cast<T>(change(seen)));
    // Compares bits, because NaN differs from itself.
    if (std::memcmp(&before, &seen, sizeof(T)) == 0) return before;
    seen = before;
  }
}
template <class T, class Change>
LAB_INLINE T atomically(T* p, Change change) {
  lab_atomic(p, sizeof(T));
  return atomically_quiet(p, change);
}
/// The old value may be uninitialised: often nobody uses it.
template <class T>
LAB_INLINE T exchange(T* p, T v) {
  const bool gives_back = lab_atomic_overwrite(p, sizeof(T));
  const T old = atomically_quiet(p, [v](T) { return v; });
  if (!gives_back && v != T{}) old == T{} ? lab_may_take(p) : lab_yield();  // a lock? its owner must go on
  return old;
}

}  // namespace lab::emulated

#define LAB_ATOMIC(name, T, expression)                                            \
  LAB_INLINE T name(T* p, T v) {                                                   \
    return ::lab::emulated::atomically(p, [v](T old) -> T { return expression; }); \
  }
#define LAB_ATOMICS(T)                        \
  LAB_ATOMIC(atomicAdd, T, old + v)           \
  LAB_ATOMIC(atomicSub, T, old - v)           \
  LAB_ATOMIC(atomicMin, T, old < v ? old : v) \
  LAB_ATOMIC(atomicMax, T, old > v ? old : v) \
  LAB_ATOMIC(atomicAnd, T, old& v)            \
  LAB_ATOMIC(atomicOr, T, old | v)            \
  LAB_ATOMIC(atomicXor, T, old ^ v)

LAB_ATOMICS(int)
LAB_ATOMICS(unsigned)
LAB_ATOMICS(unsigned long long)
LAB_ATOMIC(atomicAnd, long long, old& v)
LAB_ATOMIC(atomicOr, long long, old | v)
LAB_ATOMIC(atomicXor, long long, old ^ v)
LAB_ATOMIC(atomicMin, long long, old < v ? old : v)
LAB_ATOMIC(atomicMax, long long, old > v ? old : v)
LAB_ATOMIC(atomicAdd, float, old + v)
LAB_ATOMIC(atomicAdd, double, old + v)
LAB_ATOMIC(atomicInc, unsigned, old >= v ? 0u : old + 1)
LAB_ATOMIC(atomicDec, unsigned, old == 0 || old > v ? v : old - 1)
#undef LAB_ATOMICS
#undef LAB_ATOMIC

/// Each element is updated for itself, as on a real device; the vector must be aligned.
LAB_INLINE float2 atomicAdd(float2* p, float2 v) {
  lab_atomic(p, sizeof *p);
  const auto add = [](float* to, float by) { return ::lab::emulated::atomically_quiet(to, [by](float old) { return old + by; }); };
  return {add(&p->x, v.x), add(&p->y, v.y)};
}
LAB_INLINE float4 atomicAdd(float4* p, float4 v) {
  lab_atomic(p, sizeof *p);
  const auto add = [](float* to, float by) { return ::lab::emulated::atomically_quiet(to, [by](float old) { return old + by; }); };
  return {add(&p->x, v.x), add(&p->y, v.y), add(&p->z, v.z), add(&p->w, v.w)};
}

#define LAB_EXCHANGE(T) \
  LAB_INLINE T atomicExch(T* p, T v) { return ::lab::emulated::exchange(p, v); }
LAB_EXCHANGE(int)
LAB_EXCHANGE(unsigned)
LAB_EXCHANGE(unsigned long long)
LAB_EXCHANGE(long long)
LAB_EXCHANGE(float)
LAB_EXCHANGE(double)
#undef LAB_EXCHANGE

#define LAB_CAS(T)                                             \
  LAB_INLINE T atomicCAS(T* p, T expected, T desired) {        \
    lab_guessed(p);                                            \
    const bool gives_back = lab_atomic(p, sizeof(T));          \
    const T old = ::lab::emulated::exchange_if(p, expected, desired); \
    if (old != expected) lab_yield(); /* a lock? its owner must go on */ \
    else if (!gives_back && old == 0 && desired != 0) lab_may_take(p); \
    return old;                                                \
  }
LAB_CAS(int)
LAB_CAS(unsigned)
LAB_CAS(unsigned long long)
#undef LAB_CAS

#define LAB_SCOPES(name)                       \
  template <class T, class... A>               \
  LAB_INLINE auto name##_block(T* p, A... a) { \
    lab_only_for_block(p);                     \
    return name(p, a...);                      \
  }                                            \
  template <class... A>                        \
  LAB_INLINE auto name##_system(A... a) {      \
    return name(a...);                         \
  }
LAB_SCOPES(atomicAdd)
LAB_SCOPES(atomicSub)
LAB_SCOPES(atomicMin)
LAB_SCOPES(atomicMax)
LAB_SCOPES(atomicAnd)
LAB_SCOPES(atomicOr)
LAB_SCOPES(atomicXor)
LAB_SCOPES(atomicExch)
LAB_SCOPES(atomicInc)
LAB_SCOPES(atomicDec)
LAB_SCOPES(atomicCAS)
#undef LAB_SCOPES
