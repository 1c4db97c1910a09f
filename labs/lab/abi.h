// The binary interface between a variant's shared object and the worker that loads it. Students need not read
// this.
//
// A kernel header (lab/gemm.h) defines these symbols with one macro, with its <kernel> and <type>:
//   lab_cpu_<kernel>_<type>        lab_cpu_entry        a CPU variant
//   lab_gpu_<kernel>_<type>        lab_gpu_entry        a GPU variant: enqueues on the stream, waits for nothing
//   lab_workspace_<kernel>_<type>  lab_workspace_entry  bytes of work space, optional
//   lab_launch_<kernel>_<type>     lab_launch_entry     the shape of its launch, optional
//   lab_message                    lab_message_entry    the text of the last lab::Unsupported, from lab/types.h
//   lab_about                      lab_about_entry      what its library says about itself, optional
//   lab_choice                     lab_choice_entry     what its library chose for the problem, optional
//   lab_device                     lab_device_ops       GPU only: from device/device_cuda.cu, not from the variant
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "lab/diagnostics.h"

#define LAB_ABI_VERSION 9

#ifdef __cplusplus
extern "C" {
#endif

/// `problem` is the kernel's own struct (GemmProblem), `buffers` its matrices in the kernel's order. Returns
/// a lab_outcome.
typedef int (*lab_cpu_entry)(const void* problem, void* const* buffers, void* workspace);
typedef int (*lab_gpu_entry)(const void* problem, void* const* buffers, void* workspace, void* stream);

typedef enum lab_outcome {
  LAB_OK = 0,
  LAB_OUT_OF_MEMORY = 1,
  LAB_EXCEPTION = 2,
  LAB_UNSUPPORTED = 3
} lab_outcome;
typedef size_t (*lab_workspace_entry)(const void* problem);

/// The launch of a call: of its main kernel, if it launches several.
typedef struct lab_launch {
  int64_t blocks;
  int64_t threads;  // per block
} lab_launch;
typedef void (*lab_launch_entry)(const void* problem, lab_launch* out);
typedef const char* (*lab_message_entry)(void);
typedef const char* (*lab_about_entry)(void);
typedef const char* (*lab_choice_entry)(void);

typedef struct lab_device_info {
  int32_t multiprocessors;
  int32_t warp_size;
  int32_t max_threads_per_block, max_threads_per_multiprocessor;
  int32_t registers_per_block;
  int32_t max_grid[3];  // blocks along x, y and z
  int64_t l2_bytes;
  int64_t shared_memory_per_block;  // opt-in maximum
  int64_t shared_memory_per_multiprocessor;
} lab_device_info;

/// The operations of a device. Each int is 0 for success; `error` explains the last failure. `out_of_memory`
/// tells whether the last failure was a lack of memory.
typedef struct lab_device_ops {
  uint32_t abi;  // LAB_ABI_VERSION
  int (*open)(int device, lab_device_info* info);
  void* (*alloc)(size_t bytes);
  int (*release)(void* p);
  int (*copy_in)(void* device, const void* host, size_t bytes);   // returns when done
  int (*copy_out)(void* host, const void* device, size_t bytes);  // returns when done
  void* (*stream)(void);
  // Enqueued; see device/refresh.h: `count` elements get new values, a few of them get new values again, or all
  // become NaN. Elements that are NaN do not change.
  int (*refresh)(void* data, int64_t count, int element_bytes, uint64_t key);
  int (*touch)(void* data, int64_t count, int element_bytes, uint64_t key);
  int (*poison)(void* data, int64_t count, int element_bytes);
  /// Enqueued; `result` holds it after sync (device/fingerprint.h).
  int (*fingerprint)(const void* data, int64_t count, int element_bytes, uint64_t* result);
  int (*flush_l2)(void);       // enqueued: makes the next call start with a cold L2
  int (*mark)(int event);      // enqueued: records event 0 or 1
  double (*between_ms)(void);  // between the two events, after sync; NaN if there is no such time
  int (*sync)(void);           // waits for the whole device, reports kernel errors
  const char* (*error)(void);
  int (*out_of_memory)(void);
  // The emulated device only, null elsewhere.
  /// Before open(): the options that were in the environment before the variant was loaded.
  void (*configure)(const char* options);
  /// Kernels may use only `bytes` from `offset` on of an allocation, and write there only if `writable`.
  /// `buffer` is its number among those of the problem; the work space comes after them.
  int (*restrict_to)(void* p, size_t offset, size_t bytes, int writable, int buffer);
  /// Returns the number of diagnostics since the last call and writes at most `most` of them, mistakes first.
  int (*diagnostics)(lab_diagnostic* out, int most);
} lab_device_ops;

#ifdef __cplusplus
}
#endif

/// Declares once per variant what it needs beyond the language: names that `harness list --needs` prints, for
/// example LAB_NEEDS(avx2, fma) or LAB_NEEDS(cublas). The harness reads it from the source. If the machine
/// has what the variant needs, the compiler gets the right flags; otherwise the variant is SKIPPED with that
/// reason.
#define LAB_NEEDS(...) LAB_NOTHING

/// Names a macro with a default and the whole numbers that `harness tune` tries for it: LAB_TUNE(BLOCK, 16, 32, 64). The
/// harness reads it from the source.
#define LAB_TUNE(...) LAB_NOTHING

#ifdef __cplusplus
#define LAB_NOTHING static_assert(true, "")
#define LAB_EXPORT extern "C" __attribute__((visibility("default"), used))
#else
#define LAB_NOTHING _Static_assert(1, "")
#define LAB_EXPORT __attribute__((visibility("default"), used))
#endif

// The types that the entry macros accept, and their names in the rest of the program.
#define LAB_TYPE_NAME_float f32
#define LAB_TYPE_NAME_double f64
#define LAB_TYPE_NAME_bf16 bf16
#define LAB_TYPE_NAME(T) LAB_TYPE_NAME_##T

#define LAB_JOIN_(a, b) a##b
#define LAB_JOIN(a, b) LAB_JOIN_(a, b)
/// LAB_SYMBOL(lab_cpu_gemm_, float) is lab_cpu_gemm_f32
#define LAB_SYMBOL(prefix, T) LAB_JOIN(prefix, LAB_TYPE_NAME(T))

/// A line for the provenance page: LAB_ABOUT() { return openblas_get_config(); }
#define LAB_ABOUT() LAB_EXPORT const char* lab_about(void)

/// What the library chose for the problem of the last request for work space, for the provenance page:
/// LAB_CHOICE() { return "winograd"; }. An empty text: nothing.
#define LAB_CHOICE() LAB_EXPORT const char* lab_choice(void)

/// Declares that the arithmetic deliberately differs from that of the type: LAB_PRECISION(tf32),
/// LAB_PRECISION(normwise). The check then uses the error bound of that precision, and the report says so.
#define LAB_PRECISION(name) LAB_NOTHING
