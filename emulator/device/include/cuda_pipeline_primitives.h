// Asynchronous copies from global to shared memory. The copies of a thread are executed when it waits for
// them; until then the destination keeps its old bytes.
#pragma once

#include "emulator/device/kernel.h"

extern "C" {
void lab_pipeline_copy(void* to, const void* from, size_t bytes, size_t zeros);
void lab_pipeline_commit();
void lab_pipeline_wait(size_t batches_left);
int lab_is_shared(const void* p);
}

/// Copies 4, 8 or 16 bytes; both addresses are multiples of that. The last `zeros` bytes are not read but set
/// to zero.
LAB_INLINE void __pipeline_memcpy_async(void* to, const void* from, size_t bytes, size_t zeros = 0) {
  lab_pipeline_copy(to, from, bytes, zeros);
}
LAB_INLINE void __pipeline_commit() { lab_pipeline_commit(); }
LAB_INLINE void __pipeline_wait_prior(size_t batches_left) { lab_pipeline_wait(batches_left); }
