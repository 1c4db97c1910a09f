// CUDA's asynchronous copies to shared memory, for HIP: AMD's compilers have none of that name, so each thread copies at
// once. The wait has nothing to do; a kernel needs its __syncthreads() as with CUDA.
#pragma once

#include <cstddef>
#include <cstring>

__device__ inline void __pipeline_memcpy_async(void* to, const void* from, size_t bytes, size_t zeros = 0) {
  memcpy(to, from, bytes - zeros);
  memset(static_cast<char*>(to) + (bytes - zeros), 0, zeros);
}
__device__ inline void __pipeline_commit() {}
__device__ inline void __pipeline_wait_prior(size_t) {}
