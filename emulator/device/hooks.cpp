// The functions that the compiler calls before each memory access in a variant built with -fsanitize=thread.
// We use the code generation of GCC's thread sanitizer without its runtime (gcc/sanitizer.def lists the
// names). Also the functions of kernel.h.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>

#include "emulator/device/access.h"
#include "emulator/device/diagnostics.h"
#include "emulator/device/include/cuda_pipeline_primitives.h"
#include "emulator/device/options.h"
#include "emulator/device/processor.h"
#include "emulator/device/watch.h"

namespace lab::emulated {
namespace {

uint64_t site_of(const void* return_address) {
  // The return address is behind the call; one byte less is inside it, and has its line.
  return code_offset(return_address) - 1;
}

/// Host code uses a device pointer. With a real device, the program would crash.
void host_access(const void* p, unsigned bytes, lab_access access, const void* return_address) {
  if (!Arena::get().holds(p)) return;
  if (Arena::get().managed(p)) {
    if (access != lab_access_write) host_reads(p, bytes, return_address);
    if (access != lab_access_read) Arena::get().written(p, bytes, Arena::Writer::host);
    return;
  }
  lab_diagnostic f = {};
  f.kind = lab_device_pointer;
  f.bytes = bytes;
  f.count = 1;
  f.origin.code = site_of(return_address);
  f.origin.access = access;
  Diagnostics::get().add(f, "");
  lose_context(cudaErrorIllegalAddress, "device memory used by host code");
}

template <unsigned bytes, lab_access access>
inline void on_access(const void* p, const void* return_address) {
  Thread* t = current;
  if (!t) return host_access(p, bytes, access, return_address);
  if (Watch* watch = t->processor->watch()) {
    t->site = site_of(return_address);
    watch->access<bytes, access>(*t, p, t->site);
  }
}

/// An access of any length, as the widest aligned pieces. Calls then(p, piece) after each.
template <lab_access access, class Then>
void on_range(const char* p, size_t bytes, const void* return_address, Then then) {
  const char* const end = p + bytes;
  while (p < end) {
    const auto fits = [&](size_t piece) {
      return static_cast<size_t>(end - p) >= piece && reinterpret_cast<uint64_t>(p) % piece == 0;
    };
    const size_t piece = fits(16) ? 16 : fits(8) ? 8 : fits(4) ? 4 : 1;
    if (piece == 16) on_access<16, access>(p, return_address);
    if (piece == 8) on_access<8, access>(p, return_address);
    if (piece == 4) on_access<4, access>(p, return_address);
    if (piece == 1) on_access<1, access>(p, return_address);
    then(p, piece);
    p += piece;
  }
}
template <lab_access access>
void on_range(const char* p, size_t bytes, const void* return_address) {
  on_range<access>(p, bytes, return_address, [](const char*, size_t) {});
}

/// Does the device watch these bytes? Host code may copy large blocks of its own memory.
bool is_watched(const void* p, size_t bytes) {
  if (bytes == 0) return false;
  if (current) return current->processor->watch() != nullptr;
  const Arena& arena = Arena::get();
  return arena.holds(p) || arena.holds(static_cast<const char*>(p) + bytes - 1);
}

void* copy(void* to, const void* from, size_t bytes, const void* return_address) {
  if (!is_watched(to, bytes) && !is_watched(from, bytes)) return std::memmove(to, from, bytes);
  on_range<lab_access_read>(static_cast<const char*>(from), bytes, return_address);
  const size_t apart = static_cast<size_t>(static_cast<char*>(to) - static_cast<const char*>(from));
  const bool overlap = apart < bytes || -apart < bytes;
  char* const kept = overlap ? static_cast<char*>(std::malloc(bytes)) : nullptr;
  const char* source = static_cast<const char*>(from);
  if (kept) source = static_cast<const char*>(std::memcpy(kept, from, bytes));
  // Piece by piece: whether two writes race is known after the second one.
  on_range<lab_access_write>(static_cast<char*>(to), bytes, return_address, [&](const char* p, size_t piece) {
    std::memcpy(const_cast<char*>(p), source + (p - static_cast<char*>(to)), piece);
  });
  std::free(kept);
  return to;
}

/// A function of the C library stores a result through a pointer.
template <class T>
void store_result(T* p, T value, const void* return_address) {
  on_range<lab_access_write>(reinterpret_cast<char*>(p), sizeof(T), return_address);
  *p = value;
}

/// After an atomic access.
bool gives_back(const void* p) { return current && current->taken == p && current->processor->watch()->gives_back(*current, p); }

Thread& me(const char* name) {
  if (current) return *current;
  std::fprintf(stderr, "%s was used outside a kernel\n", name);
  std::abort();
}

}  // namespace

void* shared_variable(const void* tag, size_t bytes, size_t alignment) {
  return me("a __shared__ variable").processor->shared_variable(tag, bytes, alignment);
}
void* dynamic_shared_again() { return dynamic_shared(); }
void* dynamic_shared() { return me("extern __shared__").processor->dynamic_shared(); }

}  // namespace lab::emulated

using namespace lab::emulated;

#define LAB_HOOK(n)                                                                                        \
  void __tsan_read##n(void* p) { on_access<n, lab_access_read>(p, __builtin_return_address(0)); }          \
  void __tsan_write##n(void* p) { on_access<n, lab_access_write>(p, __builtin_return_address(0)); }        \
  void __tsan_unaligned_read##n(void* p) {                                                                 \
    on_range<lab_access_read>(static_cast<char*>(p), n, __builtin_return_address(0));                      \
  }                                                                                                        \
  void __tsan_unaligned_write##n(void* p) {                                                                \
    on_range<lab_access_write>(static_cast<char*>(p), n, __builtin_return_address(0));                     \
  }                                                                                                        \
  void __tsan_volatile_read##n(void* p) { on_access<n, lab_access_read>(p, __builtin_return_address(0)); } \
  void __tsan_volatile_write##n(void* p) { on_access<n, lab_access_write>(p, __builtin_return_address(0)); }

// For the builtins of GCC and std::atomic. In kernels CUDA has neither, so there they are plain accesses.
#define LAB_PLAIN(access)                                                                                  \
  on_access<sizeof *p, lab_access_##access>(const_cast<const void*>(static_cast<const volatile void*>(p)), \
                                            __builtin_return_address(0))
#define LAB_ATOMIC_HOOKS(bits, T)                                                                        \
  T __tsan_atomic##bits##_load(const volatile T* p, int) {                                               \
    LAB_PLAIN(read);                                                                                     \
    return __atomic_load_n(p, __ATOMIC_SEQ_CST);                                                         \
  }                                                                                                      \
  void __tsan_atomic##bits##_store(volatile T* p, T v, int) {                                            \
    LAB_PLAIN(write);                                                                                    \
    __atomic_store_n(p, v, __ATOMIC_SEQ_CST);                                                            \
  }                                                                                                      \
  T __tsan_atomic##bits##_exchange(volatile T* p, T v, int) {                                            \
    LAB_PLAIN(read), LAB_PLAIN(write);                                                                   \
    return __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST);                                                  \
  }                                                                                                      \
  T __tsan_atomic##bits##_fetch_add(volatile T* p, T v, int) {                                           \
    LAB_PLAIN(read), LAB_PLAIN(write);                                                                   \
    return __atomic_fetch_add(p, v, __ATOMIC_SEQ_CST);                                                   \
  }                                                                                                      \
  T __tsan_atomic##bits##_fetch_sub(volatile T* p, T v, int) {                                           \
    LAB_PLAIN(read), LAB_PLAIN(write);                                                                   \
    return __atomic_fetch_sub(p, v, __ATOMIC_SEQ_CST);                                                   \
  }                                                                                                      \
  bool __tsan_atomic##bits##_compare_exchange_strong(volatile T* p, T* expected, T desired, int, int) {  \
    LAB_PLAIN(read), LAB_PLAIN(write);                                                                   \
    return __atomic_compare_exchange_n(p, expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
  }

extern "C" {
LAB_HOOK(1)
LAB_HOOK(2)
LAB_HOOK(4)
LAB_HOOK(8)
LAB_HOOK(16)
LAB_ATOMIC_HOOKS(8, unsigned char)
LAB_ATOMIC_HOOKS(32, unsigned)
LAB_ATOMIC_HOOKS(64, unsigned long)

void __tsan_init() {}
void __tsan_vptr_read(void**) {}
void __tsan_vptr_update(void**, void*) {}
void __tsan_read_range(void* p, long bytes) {
  on_range<lab_access_read>(static_cast<char*>(p), static_cast<size_t>(bytes), __builtin_return_address(0));
}
void __tsan_write_range(void* p, long bytes) {
  on_range<lab_access_write>(static_cast<char*>(p), static_cast<size_t>(bytes), __builtin_return_address(0));
}

void* lab_memcpy(void* to, const void* from, size_t bytes) {
  return copy(to, from, bytes, __builtin_return_address(0));
}
void* lab_memmove(void* to, const void* from, size_t bytes) {
  return copy(to, from, bytes, __builtin_return_address(0));
}
void* lab_memset(void* p, int byte, size_t bytes) {
  if (!is_watched(p, bytes)) return std::memset(p, byte, bytes);
  on_range<lab_access_write>(static_cast<char*>(p), bytes, __builtin_return_address(0),
                             [&](const char* at, size_t piece) { std::memset(const_cast<char*>(at), byte, piece); });
  return p;
}
wchar_t* lab_wmemcpy(wchar_t* to, const wchar_t* from, size_t count) {
  return static_cast<wchar_t*>(copy(to, from, count * sizeof *to, __builtin_return_address(0)));
}
wchar_t* lab_wmemmove(wchar_t* to, const wchar_t* from, size_t count) {
  return static_cast<wchar_t*>(copy(to, from, count * sizeof *to, __builtin_return_address(0)));
}
wchar_t* lab_wmemset(wchar_t* p, wchar_t value, size_t count) {
  for (size_t i = 0; i < count; ++i) store_result(p + i, value, __builtin_return_address(0));
  return p;
}
#define LAB_RESULTS_BY_POINTER(T, suffix)                        \
  T lab_modf##suffix(T x, T* whole) {                            \
    T kept;                                                      \
    const T fraction = std::modf(x, &kept);                      \
    store_result(whole, kept, __builtin_return_address(0));      \
    return fraction;                                             \
  }                                                              \
  T lab_frexp##suffix(T x, int* exponent) {                      \
    int kept;                                                    \
    const T fraction = std::frexp(x, &kept);                     \
    store_result(exponent, kept, __builtin_return_address(0));   \
    return fraction;                                             \
  }                                                              \
  T lab_remquo##suffix(T x, T y, int* quotient) {                \
    int kept;                                                    \
    const T rest = std::remquo(x, y, &kept);                     \
    store_result(quotient, kept, __builtin_return_address(0));   \
    return rest;                                                 \
  }                                                              \
  void lab_sincos##suffix(T x, T* sine, T* cosine) {             \
    store_result(sine, std::sin(x), __builtin_return_address(0)); \
    store_result(cosine, std::cos(x), __builtin_return_address(0)); \
  }
LAB_RESULTS_BY_POINTER(double, )
LAB_RESULTS_BY_POINTER(float, f)
#undef LAB_RESULTS_BY_POINTER
bool lab_atomic(const void* p, unsigned bytes) {
  const void* const caller = __builtin_return_address(0);
  if (bytes == 2) on_access<2, lab_access_atomic>(p, caller);
  if (bytes == 4) on_access<4, lab_access_atomic>(p, caller);
  if (bytes == 8) on_access<8, lab_access_atomic>(p, caller);
  if (bytes == 16) on_access<16, lab_access_atomic>(p, caller);
  return gives_back(p);
}
void lab_atomic_uncounted(const void* p, unsigned bytes) {
  const void* const caller = __builtin_return_address(0);
  if (!current) return host_access(p, bytes, lab_access_read, caller);
  Watch* const watch = current->processor->watch();
  if (watch) watch->counts_atomics = false;
  bytes == 4 ? on_access<4, lab_access_atomic>(p, caller) : on_access<8, lab_access_atomic>(p, caller);
  if (watch) watch->counts_atomics = true;
}
bool lab_atomic_overwrite(const void* p, unsigned bytes) {
  Watch* const watch = current ? current->processor->watch() : nullptr;
  if (watch) watch->overwrites = true;
  bytes == 4 ? on_access<4, lab_access_atomic>(p, __builtin_return_address(0))
             : on_access<8, lab_access_atomic>(p, __builtin_return_address(0));
  if (watch) watch->overwrites = false;
  return gives_back(p);
}
void lab_may_take(const void* p) {
  Watch* const watch = current ? current->processor->watch() : nullptr;
  if (watch) watch->may_take(*current, p);
}
void lab_guessed(const void* p) {
  Watch* const watch = current ? current->processor->watch() : nullptr;
  if (watch) watch->guessed(*current, p);
}
void lab_only_for_block(const void* p) {
  Watch* const watch = current ? current->processor->watch() : nullptr;
  if (watch) watch->only_for_block(*current, p, site_of(__builtin_return_address(0)));
}
uint32_t lab_exchange_if_32(void* p, uint32_t expected, uint32_t desired) {
  __atomic_compare_exchange_n(static_cast<uint32_t*>(p), &expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  return expected;
}
uint64_t lab_exchange_if_64(void* p, uint64_t expected, uint64_t desired) {
  __atomic_compare_exchange_n(static_cast<uint64_t*>(p), &expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  return expected;
}

unsigned lab_lane() { return me("a lane").lane; }
int lab_warp_size() { return options().lanes; }

int lab_syncthreads(lab_vote vote, int predicate, int line) {
  return me("__syncthreads()").processor->barrier(vote, predicate, site_of(__builtin_return_address(0)), line);
}
uint64_t lab_meet(lab_meeting kind, uint64_t mask, uint64_t value, int argument, int width) {
  return me("a warp function")
      .processor->meet(kind, mask, value, argument, width, site_of(__builtin_return_address(0)));
}
void lab_grid_sync(int line) {
  me("grid_group::sync()").processor->grid_barrier(site_of(__builtin_return_address(0)), line);
}
int lab_launched_together() { return me("grid_group::is_valid()").processor->launch().is_cooperative; }
void lab_fence(lab_scope scope) {
  if (!current) return;  // host code calls this and lab_yield() for its cuda::atomic, too
  if (Watch* watch = current->processor->watch()) watch->fence(*current, scope);
}
void lab_yield() {
  if (!current) return;
  Thread& t = *current;
  t.site = site_of(__builtin_return_address(0));
  t.processor->yield();
}
size_t lab_requested_copies() {
  Thread& t = me("memcpy_async()");
  return t.processor->pipeline().requested(t);
}
void lab_barrier_copies(const BarrierState* barrier, size_t first) {
  Thread& t = me("memcpy_async()");
  t.processor->pipeline().give(t, barrier, first);
}
void lab_barrier_complete(const BarrierState* barrier, unsigned phase) {
  Processor& p = *me("cuda::barrier").processor;
  p.pipeline().complete(barrier, phase);
  if (Watch* watch = p.watch()) watch->next_phase();
}
void lab_barrier_waits(const BarrierState* barrier, unsigned phase) {
  Thread& t = me("cuda::barrier");
  t.site = site_of(__builtin_return_address(0));
  t.barrier = barrier;
  t.barrier_phase = phase;
  t.processor->yield();
}
void lab_barrier_waited(const BarrierState* barrier, unsigned phase) {
  Thread& t = me("cuda::barrier");
  t.barrier = nullptr;
  t.processor->pipeline().waited(barrier, phase);
}
void lab_pipeline_copy(void* to, const void* from, size_t bytes, size_t zeros) {
  Thread& t = me("__pipeline_memcpy_async()");
  t.processor->pipeline().copy(t, static_cast<char*>(to), static_cast<const char*>(from), bytes, zeros,
                               site_of(__builtin_return_address(0)));
}
int lab_is_shared(const void* p) {
  return current && current->processor->is_shared(p);
}
void lab_pipeline_commit() {
  Thread& t = me("__pipeline_commit()");
  t.processor->pipeline().commit(t);
}
void lab_pipeline_wait(size_t batches_left) {
  Thread& t = me("__pipeline_wait_prior()");
  t.processor->pipeline().wait(t, batches_left);
}
long long lab_clock() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000ll + t.tv_nsec;
}
}
