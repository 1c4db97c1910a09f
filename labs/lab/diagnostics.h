// What the emulated device sees while a kernel runs. Plain C: device glue, worker and harness share it.
// Sentences for people are made by the harness (emulator/diagnostics), never here.
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Mistakes come first, advice on speed from lab_first_advice on.
typedef enum lab_diagnostic_kind {
  lab_race_shared = 1,         // two threads of a block, shared memory, no barrier between them
  lab_race_global = 2,         // two threads of a block, global memory, no barrier between them
  lab_race_blocks = 3,         // two blocks of one launch, not both atomic
  lab_out_of_bounds = 4,       // global memory outside the buffer: offset bytes from its start, extent its size
  lab_shared_bounds = 5,       // outside a shared variable
  lab_misaligned = 6,          // `bytes` at an address that is no multiple of it
  lab_uninitialised_shared = 7,
  lab_uninitialised_global = 8,
  lab_host_pointer = 9,        // host memory used in a kernel
  lab_device_pointer = 10,     // device memory used by host code
  lab_barrier_exited = 11,     // some threads wait at a barrier (origin), another left the kernel (other)
  lab_barrier_differs = 12,     // threads of one warp wait at different barriers (origin, other)
  lab_lanes_missing = 13,      // a warp function waits for lanes that never come
  lab_shuffle_range = 14,      // shuffle from a lane that does not take part or does not exist
  lab_input_written = 15,      // a write to an input
  lab_illegal_address = 16,    // a fault: null (offset < 4096) or wild pointer
  lab_stack_overflow = 17,     // of one thread of the kernel
  lab_endless = 18,            // the time for a kernel ran out: block, thread, code address where it was. have of ideal blocks
                               // had ended, and this one had run for offset of the extent ms of the limit
  lab_copy_pending = 19,       // bytes of an asynchronous copy used before it was waited for
  lab_library_call = 20,       // a library (cuBLAS, cuDNN) was given memory it may not touch
  lab_division = 21,           // an integer divided by zero
  lab_trap = 22,               // an instruction the device cannot run: __builtin_trap, assert
  lab_side_stream = 23,        // work on a stream that the stream of the call does not wait for
  lab_input_read_back = 24,    // host code reads an input of the problem, or a copy of one
  lab_grid_launch = 25,        // grid.sync() in a launch that is not cooperative
  lab_grid_exited = 26,        // blocks wait for all others (origin), another left the kernel (other)
  lab_barrier_warps = 27,      // whole warps of one block wait at different barriers (origin, other)
  lab_local_bounds = 28,       // beyond the stack of a thread, where the arrays of its functions lie
  lab_result_of_host = 29,     // an output has new values, and neither a kernel nor a library wrote them
  lab_freed = 30,              // global memory after cudaFree
  lab_refused = 31,            // a launch, a copy or a fill that a device does not do; `detail` says why
  lab_barrier_arrivals = 32,   // all threads of a block wait, this one at a cuda::barrier: have of ideal threads have arrived
  lab_lane_not_in_mask = 33,   // a lane calls a warp function whose mask does not name it
  lab_after_mistakes,
  lab_first_advice = 64,
  lab_uncoalesced = 64,        // have: 32-byte sectors of a warp's requests, ideal: fewest possible
  lab_bank_conflicts = 65,     // have: shared-memory wavefronts, ideal: without conflicts
  lab_divergence = 66,         // have: lanes that took part, ideal: lanes that could have
  lab_redundant_traffic = 67,  // have: bytes asked of global memory, ideal: distinct bytes touched
  lab_contention = 68,         // have: atomic updates of one address that a warp makes one after the other, ideal: 1
  lab_idle_lanes = 69,         // have: threads of all blocks, ideal: lanes of all warps that these take
  lab_after_advice
} lab_diagnostic_kind;

typedef enum lab_access { lab_access_none = 0, lab_access_read = 1, lab_access_write = 2, lab_access_atomic = 3 } lab_access;

/// Where a thread was: a code address as an offset from the start of the shared object (0: not known), and which
/// thread.
typedef struct lab_origin {
  uint64_t code;
  uint32_t block[3], thread[3];
  uint32_t access;  // lab_access
  uint32_t pad;
} lab_origin;

typedef struct lab_diagnostic {
  uint32_t kind;  // lab_diagnostic_kind
  uint32_t bytes; // of the access
  char kernel[96];
  char detail[160];
  lab_origin origin, other;  // other: the second party of races and barriers
  int64_t count;           // how often seen
  int64_t offset, extent;  // of addresses: bytes from the start of the buffer, and its size
  int64_t have, ideal;     // only for advice, lab_endless and lab_barrier_arrivals
  int32_t buffer;          // which buffer an address is in: 1 is the problem's first; the work space comes after its last; 0: none of these
  int32_t pad;
} lab_diagnostic;

#define LAB_MAX_DIAGNOSTICS 64

#ifdef __cplusplus
}
#endif
