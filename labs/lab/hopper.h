// Hopper's own instructions (PTX ISA, sm_90a) for gpu_tensor: barriers that count bytes, copies of whole tiles, and
// products of a group of four warps.
#pragma once

#include <cuda.h>

#include "lab/gpu.h"

namespace lab {

__device__ __forceinline__ uint32_t shared_address(const void* p) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}

/// A barrier in shared memory (mbarrier). Its phase ends when all that it waits for arrived: `count` threads,
/// and the bytes that they told it to expect.
class Barrier {
 public:
  __device__ __forceinline__ void begin(int count) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(&state_)), "r"(count));
  }
  __device__ __forceinline__ void arrive() {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(&state_)) : "memory");
  }
  __device__ __forceinline__ void arrive_and_expect(int bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(&state_)), "r"(bytes)
                 : "memory");
  }
  /// Waits for the end of a phase. Phases are counted modulo 2.
  __device__ __forceinline__ void wait(int phase) {
    int done;
    do {
      asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.s32 %0, 1, 0, p; }"
                   : "=r"(done)
                   : "r"(shared_address(&state_)), "r"(phase)
                   : "memory");
    } while (!done);
  }

 private:
  uint64_t state_;
};

/// Makes the beginnings of barriers visible to the copies.
__device__ __forceinline__ void publish_barriers() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

/// Starts a copy of the tile at column x, row y of a matrix. `full` counts its bytes. Elements outside the
/// matrix become 0.
__device__ __forceinline__ void copy_tile(void* to, const CUtensorMap& from, int x, int y, Barrier& full) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
          shared_address(to)),
      "l"(&from), "r"(x), "r"(y), "r"(shared_address(&full))
      : "memory");
}

/// How a product finds a tile in shared memory: rows of 128 bytes, whose pieces of 16 bytes are swapped
/// ("swizzled") so that a column of pieces lies in all banks. The tile begins at a multiple of 1024 bytes.
__device__ __forceinline__ uint64_t describe_tile(const void* p) {
  constexpr uint64_t swizzle_128_bytes = uint64_t{1} << 62, eight_rows = uint64_t{1024 >> 4} << 32;
  return swizzle_128_bytes | eight_rows | uint64_t{1} << 16 | (shared_address(p) & 0x3ffff) >> 4;
}

/// Products may now use the registers written before.
__device__ __forceinline__ void begin_products() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ __forceinline__ void finish_products() {
  asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
}

/// Moves registers between groups of four warps: all of a group call it.
template <int count>
__device__ __forceinline__ void keep_registers() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(count));
}
template <int count>
__device__ __forceinline__ void take_registers() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(count));
}

// The operands of a product: %4 i to %4 i + 3 in the text, and what they are.
#define LAB_SUMS_8(d, i)                                                                                      \
  "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), "+f"(d[i + 6]), \
      "+f"(d[i + 7])
#define LAB_SUMS_32(d, i) LAB_SUMS_8(d, i), LAB_SUMS_8(d, i + 8), LAB_SUMS_8(d, i + 16), LAB_SUMS_8(d, i + 24)

/// Starts the product of 64 x 8 numbers in the registers of four warps with a tile of 8 x 256 in shared memory,
/// stored by columns, in TF32: of each number the product sees 10 bits after the binary point.
__device__ __forceinline__ void multiply_add(float (&d)[128], const float (&a)[4], uint64_t b) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n256k8.f32.tf32.tf32 {"
      "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
      "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
      "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
      "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, "
      "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "
      "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, "
      "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, "
      "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127"
      "}, {%128, %129, %130, %131}, %132, 1, 1, 1;"
      : LAB_SUMS_32(d, 0), LAB_SUMS_32(d, 32), LAB_SUMS_32(d, 64), LAB_SUMS_32(d, 96)
      : "r"(__float_as_uint(a[0])), "r"(__float_as_uint(a[1])), "r"(__float_as_uint(a[2])), "r"(__float_as_uint(a[3])),
        "l"(b));
}
#undef LAB_SUMS_32
#undef LAB_SUMS_8

}  // namespace lab
