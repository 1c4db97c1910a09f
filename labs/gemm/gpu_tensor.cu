// Hopper's tensor cores in TF32: products of four warps at a time, and copies that one thread starts.
//
// Against gpu_wmma: a product (wgmma) covers 64 x 256 x 8 numbers and takes A from shared memory and B from
// registers, so the warps load little. The copies of whole tiles (TMA) need one thread and no registers. Four
// warps only copy, eight only multiply (two groups of four); barriers that count bytes connect them, and no
// thread waits for all others. A block computes one tile of C after the other, and the copies for the next
// one begin before the last results of this one are written. Meanwhile the copying warps fetch C into the L2
// cache.
//
// This product needs both factors stored along k. A is; B is not, so a group computes 64 columns of C as the
// rows of the transposed product, and its warps read B from shared memory in the order of that.
//
// The price is precision: of each number of A and B the product sees 10 bits after the binary point (TF32),
// the others are dropped. The error is 7e-4 of the result's norm, with cuBLAS 2.6e-4, because cuBLAS rounds. To
// round B here costs 4 % of the speed and leaves 4.2e-4.
//
// What it bought on an H200 at n = 4096 and 8192, TFLOP/s: 347 and 369. gpu_wmma has 56 and 59 in that run,
// cuBLAS in TF32 364 and 392.
//
// Limit: power. In a long run the clock of the device falls from 1980 to 1430 MHz, with cuBLAS to 1540.
#include "lab/hopper_tiles.h"

LAB_NEEDS(wgmma);
LAB_PRECISION(tf32);

#ifndef GROUP
#define GROUP 8
#endif
#ifndef STAGES
#define STAGES 4
#endif

/// A block computes a tile of C. `depth` steps of k are in shared memory at once, in each stage.
constexpr int rows = 256, columns = 128, depth = 32, stages = STAGES;
constexpr int group_columns = 64, step = 8;  // that one product covers
constexpr int multiplying_warps = columns / group_columns * 4, threads_a_block = 32 * (multiplying_warps + 4);
constexpr int lines = 32;  // numbers in a row of shared memory

struct Stage {
  alignas(1024) float a[rows][depth];
  alignas(1024) float b[columns / lines][depth][lines];
};
struct Shared {
  Stage stage[stages];
  lab::Barrier full[stages], empty[stages];
};

using Turn = lab::Turn<stages>;
using Tiles = lab::Tiles<rows, columns, GROUP>;

/// One thread starts the copies. The others of its four warps fetch C into the L2 cache for the end of the tile.
__device__ __forceinline__ void copy_all(const lab::Gemm<float>& g, const CUtensorMap& a, const CUtensorMap& b,
                                         Shared& shared) {
  const Tiles tiles(g.m, g.n);
  Turn turn;
  for (int tile = blockIdx.x; tile < tiles.count(); tile += gridDim.x) {
    const int top = tiles.top(tile), left = tiles.left(tile);
    if (g.beta != 0)
      for (int i = threadIdx.x % 128; i < rows * columns / lines; i += 128) {
        const int64_t row = top + i / (columns / lines), col = left + i % (columns / lines) * lines;
        if (row < g.m && col < g.n) asm volatile("prefetch.global.L2 [%0];" ::"l"(g.c + row * g.ldc + col));
      }
    if (threadIdx.x % 128 != 0) continue;
    for (int64_t k = 0; k < g.k; k += depth, turn.next()) {
      Stage& to = shared.stage[turn.stage];
      lab::Barrier& full = shared.full[turn.stage];
      shared.empty[turn.stage].wait(turn.phase ^ 1);
      full.arrive_and_expect(sizeof(Stage));
      lab::copy_tile(to.a, a, static_cast<int>(k), top, full);
      for (int i = 0; i < columns / lines; ++i) lab::copy_tile(to.b[i], b, left + i * lines, static_cast<int>(k), full);
    }
  }
}

/// What a lane of a multiplying warp holds: of each step of k, two neighbours in a row of B (x) in the rows y
/// and y + 4; of C these two columns, in the rows 2 y + 8 j and 2 y + 8 j + 1.
///
/// The product wants its 64 rows in a certain order, but which column of B is which row is free. With this
/// order half a warp reads from all banks.
struct Lane {
  int y, box, piece, half;
  __device__ __forceinline__ Lane() {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, row = lane / 4;
    y = lane % 4;
    box = warp / 2;
    piece = warp % 2 * 2 + row / 2 % 2 * 4 + row / 4;
    half = row % 2;
  }
  __device__ __forceinline__ int column() const { return box * lines + piece * 4 + half * 2; }
  __device__ __forceinline__ float2 load(const Stage& stage, int k) const {
    return *reinterpret_cast<const float2*>(&stage.b[box][k][(piece ^ k % 8) * 4 + half * 2]);
  }
};

/// Two neighbours in a row of C.
__device__ __forceinline__ void update(const lab::Gemm<float>& g, int64_t row, int64_t col, bool pairs, float2 old,
                                       float left, float right) {
  float* const c = g.c + row * g.ldc + col;
  if (row >= g.m || col >= g.n) return;
  if (pairs && col + 1 < g.n) {
    lab::update(old.x, left, g.alpha, g.beta);
    lab::update(old.y, right, g.alpha, g.beta);
    *reinterpret_cast<float2*>(c) = old;
    return;
  }
  lab::update(c[0], left, g.alpha, g.beta);
  if (col + 1 < g.n) lab::update(c[1], right, g.alpha, g.beta);
}

__device__ __forceinline__ void multiply_all(const lab::Gemm<float>& g, Shared& shared) {
  const Tiles tiles(g.m, g.n);
  const Lane lane;
  const bool pairs = (g.ldc % 2 == 0) && reinterpret_cast<uintptr_t>(g.c) % 8 == 0;
  Turn turn;
  for (int tile = blockIdx.x; tile < tiles.count(); tile += gridDim.x) {
    float sum[rows / 2] = {};
    for (int64_t k = 0; k < g.k; k += depth, turn.next()) {
      const Stage& stage = shared.stage[turn.stage];
      shared.full[turn.stage].wait(turn.phase);
      float b[depth / step][4];
#pragma unroll
      for (int q = 0; q < depth / step; ++q) {
        const float2 above = lane.load(stage, q * step + lane.y), below = lane.load(stage, q * step + lane.y + 4);
        b[q][0] = above.x, b[q][1] = above.y, b[q][2] = below.x, b[q][3] = below.y;
      }
      const uint64_t a = lab::describe_tile(stage.a);
      lab::begin_products();
#pragma unroll
      for (int q = 0; q < depth / step; ++q) lab::multiply_add(sum, b[q], a + q * (step * sizeof(float) / 16));
      lab::commit_products();
      lab::wait_for_products<0>();
      if (threadIdx.x % 32 == 0) shared.empty[turn.stage].arrive();
    }
    const int64_t top = tiles.top(tile) + 2 * lane.y, col = tiles.left(tile) + lane.column();
    constexpr int at_once = 8;  // loads of C
#pragma unroll
    for (int j = 0; j < rows / 8; j += at_once / 2) {
      float2 old[at_once] = {};
      if (g.beta != 0 && pairs && col + 1 < g.n)
#pragma unroll
        for (int i = 0; i < at_once; ++i) {
          const int64_t row = top + 8 * (j + i / 2) + i % 2;
          if (row < g.m) old[i] = *reinterpret_cast<const float2*>(g.c + row * g.ldc + col);
        }
#pragma unroll
      for (int i = 0; i < at_once; ++i)
        update(g, top + 8 * (j + i / 2) + i % 2, col, pairs, old[i], sum[4 * (j + i / 2) + i % 2],
               sum[4 * (j + i / 2) + 2 + i % 2]);
    }
  }
}

__global__ void __launch_bounds__(threads_a_block, 1)
    gemm(lab::Gemm<float> g, const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b) {
  extern __shared__ __align__(1024) char memory[];
  Shared& shared = *reinterpret_cast<Shared*>(memory);
  if (threadIdx.x == 0) {
    for (int s = 0; s < stages; ++s) {
      shared.full[s].begin(1);
      shared.empty[s].begin(multiplying_warps);
    }
    lab::publish_barriers();
  }
  __syncthreads();
  if (threadIdx.x / 32 >= multiplying_warps) {
    lab::keep_registers<40>();
    copy_all(g, a, b, shared);
  } else {
    lab::take_registers<232>();
    multiply_all(g, shared);
  }
}

LAB_GEMM_WORKSPACE(float)(const lab::Gemm<float>& g) { return lab::Factors(g).workspace_bytes(); }

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) {
  float* const space = static_cast<float*>(g.workspace);
  const lab::Factors factors(g);
  const CUtensorMap a = factors.a.describe(rows, space, stream);
  const CUtensorMap b = factors.b.describe(depth, space + factors.a.copy_size(), stream);
  int device = 0, multiprocessors = 0;
  lab::demand(cudaGetDevice(&device));
  lab::demand(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  lab::demand(cudaFuncSetAttribute(gemm, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(Shared)));
  const int blocks = std::min(Tiles(g.m, g.n).count(), multiprocessors);
  gemm<<<blocks, threads_a_block, sizeof(Shared), stream>>>(g, a, b);
}
