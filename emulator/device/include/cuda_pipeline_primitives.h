// Asynchronous copies from global to shared memory. A thread's copies are made when it waits for them, no
// sooner: until then the bytes are what they were.
#pragma once

#include "emulator/device/kernel.h"

extern "C" {
void lab_pipeline_copy(void* to, const void* from, size_t bytes, size_t zeros);
void lab_pipeline_commit();
void lab_pipeline_wait(size_t batches_left);
}

/// 4, 8 or 16 bytes, both addresses multiples of that; the last `zeros` are not read, but set to zero.
LAB_INLINE void __pipeline_memcpy_async(void* to, const void* from, size_t bytes, size_t zeros = 0) {
  lab_pipeline_copy(to, from, bytes, zeros);
}
LAB_INLINE void __pipeline_commit() { lab_pipeline_commit(); }
LAB_INLINE void __pipeline_wait_prior(size_t batches_left) { lab_pipeline_wait(batches_left); }
