// Hopper's own instructions (PTX ISA, sm_90a) for gpu_tensor and gpu_tensor_bf16: barriers that count bytes, copies of
// whole tiles, teams of blocks (clusters) that share copies, and products of a group of four warps.
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
  /// Arrives at the same barrier of a block of the team.
  __device__ __forceinline__ void arrive_at(int block) {
    asm volatile(
        "{ .reg .b32 there; mapa.shared::cluster.u32 there, %0, %1; mbarrier.arrive.shared::cluster.b64 _, [there]; "
        "}" ::"r"(shared_address(&state_)),
        "r"(block)
        : "memory");
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

/// The same copy into the shared memory of each block of a team, at the same place; the barrier of each counts it.
template <int team>
__device__ __forceinline__ void copy_tile_to_team(void* to, const CUtensorMap& from, int x, int y, Barrier& full) {
  if constexpr (team == 1)
    copy_tile(to, from, x, y, full);
  else
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, "
        "{%2, "
        "%3}], [%4], %5;" ::"r"(shared_address(to)),
        "l"(&from), "r"(x), "r"(y), "r"(shared_address(&full)), "h"(static_cast<uint16_t>((1 << team) - 1))
        : "memory");
}

/// Which block of its team this one is.
__device__ __forceinline__ int block_of_team() {
  int block;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(block));
  return block;
}
/// Waits for all threads of all blocks of the team.
__device__ __forceinline__ void meet_team() {
  asm volatile("barrier.cluster.arrive.release;\nbarrier.cluster.wait.acquire;" ::: "memory");
}

/// How a product finds a tile in shared memory: rows of 128 bytes, whose pieces of 16 bytes are swapped
/// ("swizzled") so that a column of pieces lies in all banks. The tile begins at a multiple of 1024 bytes.
__device__ __forceinline__ uint64_t describe_tile(const void* p) {
  constexpr uint64_t swizzle_128_bytes = uint64_t{1} << 62, eight_rows = uint64_t{1024 >> 4} << 32;
  return swizzle_128_bytes | eight_rows | uint64_t{1} << 16 | (shared_address(p) & 0x3ffff) >> 4;
}
/// The same for a factor that is not stored along k: its tile lies in boxes of 128 bytes a row, a row for each step of
/// k, one box of box_bytes after the other.
__device__ __forceinline__ uint64_t describe_tile_by_rows(const void* p, uint64_t box_bytes) {
  constexpr uint64_t swizzle_128_bytes = uint64_t{1} << 62, eight_steps = uint64_t{1024 >> 4} << 32;
  return swizzle_128_bytes | eight_steps | (box_bytes >> 4) << 16 | (shared_address(p) & 0x3ffff) >> 4;
}

/// Products may now use the registers written before.
__device__ __forceinline__ void begin_products() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
/// Ends a series of products.
__device__ __forceinline__ void commit_products() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
/// Waits until at most `count` series are under way.
template <int count>
__device__ __forceinline__ void wait_for_products() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(count) : "memory");
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

// The 128 sums of a product: their names in its text, and what they are.
#define LAB_SUM_NAMES                                                                            \
  "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "                       \
  "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "             \
  "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "             \
  "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, "             \
  "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "             \
  "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, "             \
  "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, " \
  "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127"
#define LAB_SUMS_8(d, i)                                                                                      \
  "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), "+f"(d[i + 6]), \
      "+f"(d[i + 7])
#define LAB_SUMS_32(d, i) LAB_SUMS_8(d, i), LAB_SUMS_8(d, i + 8), LAB_SUMS_8(d, i + 16), LAB_SUMS_8(d, i + 24)

/// Starts the product of 64 x 8 numbers in the registers of four warps with a tile of 8 x 256 in shared memory,
/// stored by columns, in TF32: of each number the product sees 10 bits after the binary point.
__device__ __forceinline__ void multiply_add(float (&d)[128], const float (&a)[4], uint64_t b) {
  asm volatile("wgmma.mma_async.sync.aligned.m64n256k8.f32.tf32.tf32 {" LAB_SUM_NAMES
               "}, {%128, %129, %130, %131}, %132, 1, 1, 1;"
               : LAB_SUMS_32(d, 0), LAB_SUMS_32(d, 32), LAB_SUMS_32(d, 64), LAB_SUMS_32(d, 96)
               : "r"(__float_as_uint(a[0])), "r"(__float_as_uint(a[1])), "r"(__float_as_uint(a[2])),
                 "r"(__float_as_uint(a[3])), "l"(b));
}

/// The same product of 64 x 16 numbers with 16 x 256, in bfloat16. Both lie in shared memory, the first along k and the
/// second not (describe_tile_by_rows).
__device__ __forceinline__ void multiply_add(float (&d)[128], uint64_t a, uint64_t b) {
  asm volatile("wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 {" LAB_SUM_NAMES "}, %128, %129, 1, 1, 1, 0, 1;"
               : LAB_SUMS_32(d, 0), LAB_SUMS_32(d, 32), LAB_SUMS_32(d, 64), LAB_SUMS_32(d, 96)
               : "l"(a), "l"(b));
}
#undef LAB_SUM_NAMES
#undef LAB_SUMS_32
#undef LAB_SUMS_8

}  // namespace lab
