// Hopper's tensor cores in bfloat16, the type that most training of neural networks uses.
//
// Against gpu_tensor: numbers of half the size need half the copies, and a product covers 16 steps of k instead of 8
// in the same time. The product may also read B along rows, so both factors come from shared memory and C is not
// transposed. A block computes 128 x 256 elements of C, 64 x 256 in each of two groups of four warps.
//
// At this speed the tiles that come from the L2 cache limit a block. So two blocks, one below the other, form a team (a
// cluster): each copies its own part of A and half of their common part of B, and each half goes to both at once. A
// stage is free when the warps of both blocks have used it.
//
// The product leaves pairs of neighbouring results in a lane. Four lanes exchange them, so that each reads and writes
// 16 bytes of C at once.
//
// Sums are kept in f32; each result is rounded to bfloat16 once.
//
// What it bought on an H200 at n = 4096 and 8192, TFLOP/s: 708 and 758, cuBLAS 758 and 777 in turns with it. With one
// block a team 695 and 715, with pairs written as they are 641 at 4096. Where rows are not aligned, it copies A and B:
// 321 at 4097 x 4095 x 4093, cuBLAS 149.
//
// Limit: power, as with gpu_tensor.
#include <cuda_bf16.h>

#include "lab/hopper_tiles.h"

LAB_NEEDS(wgmma);

#ifndef GROUP
#define GROUP 4
#endif
#ifndef STAGES
#define STAGES 4
#endif
#ifndef TEAM
#define TEAM 2
#endif

/// A block computes a tile of C. `depth` steps of k are in shared memory at once, in each stage.
constexpr int rows = 128, columns = 256, depth = 64, stages = STAGES, team = TEAM;
constexpr int group_rows = 64, step = 16;  // that one product covers
constexpr int multiplying_warps = rows / group_rows * 4, threads_a_block = 32 * (multiplying_warps + 4);
constexpr int lines = 64;  // numbers in a row of shared memory
constexpr int boxes = columns / lines, own_boxes = boxes / team;

struct Stage {
  alignas(1024) bf16 a[rows][depth];
  alignas(1024) bf16 b[boxes][depth][lines];
};
struct Shared {
  Stage stage[stages];
  lab::Barrier full[stages], empty[stages];
};
using Turn = lab::Turn<stages>;
using TeamTiles = lab::Tiles<rows * team, columns, GROUP>;

/// One thread starts the copies. The others of its warp fetch C into the L2 cache for the end of the tile.
__device__ __forceinline__ void copy_all(const lab::Gemm<bf16>& g, const CUtensorMap& a, const CUtensorMap& b,
                                         Shared& shared) {
  const TeamTiles tiles(g.m, g.n);
  const int block = lab::block_of_team(), lane = threadIdx.x % 32;
  Turn turn;
  for (int tile = blockIdx.x / team; tile < tiles.count(); tile += gridDim.x / team) {
    const int top = tiles.top(tile) + block * rows, left = tiles.left(tile);
    if (g.beta != 0)
      for (int i = lane; i < rows * boxes; i += 32) {
        const int64_t row = top + i / boxes, col = left + i % boxes * lines;
        if (row < g.m && col < g.n) asm volatile("prefetch.global.L2 [%0];" ::"l"(g.c + row * g.ldc + col));
      }
    if (lane == 0)
      for (int64_t k = 0; k < g.k; k += depth, turn.next()) {
        Stage& to = shared.stage[turn.stage];
        lab::Barrier& full = shared.full[turn.stage];
        shared.empty[turn.stage].wait(turn.phase ^ 1);
        full.arrive_and_expect(sizeof(Stage));
        lab::copy_tile(to.a, a, static_cast<int>(k), top, full);
        for (int i = block * own_boxes; i < (block + 1) * own_boxes; ++i)
          lab::copy_tile_to_team<team>(to.b[i], b, left + i * lines, static_cast<int>(k), full);
      }
    __syncwarp();
  }
}

/// Exchanges words between four neighbouring lanes: lane i gets word i of each.
__device__ __forceinline__ void transpose(uint32_t (&word)[4]) {
  const int lane = threadIdx.x % 4;
#pragma unroll
  for (int far = 1; far < 4; far *= 2)
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      if (i & far) continue;
      const bool upper = lane & far;
      const uint32_t got = __shfl_xor_sync(~0u, upper ? word[i] : word[i + far], far);
      (upper ? word[i] : word[i + far]) = got;
    }
}

/// Two results from their sums and the old values, in one word.
__device__ __forceinline__ uint32_t update_pair(const lab::Gemm<bf16>& g, uint32_t old, float left, float right) {
  float x = g.alpha * left, y = g.alpha * right;
  if (g.beta != 0) {
    x += g.beta * __uint_as_float(old << 16);
    y += g.beta * __uint_as_float(old & 0xffff0000);
  }
  const __nv_bfloat162 both = __floats2bfloat162_rn(x, y);
  return reinterpret_cast<const uint32_t&>(both);
}

/// The results of four lanes that hold pairs of neighbours, every 8 columns from `left` on: of the rows `row` and
/// row + 8. Each lane reads and writes 8 neighbours at once, so the lanes exchange what they hold.
__device__ __forceinline__ void store(const lab::Gemm<bf16>& g, int64_t row, int left, bool wide,
                                      const float (&sum)[columns / 2]) {
  const int lane = threadIdx.x % 4;
  if (wide && left + columns <= g.n) {
    constexpr int at_once = 4;  // loads of C
#pragma unroll
    for (int first = 0; first < columns / 16; first += at_once) {
      uint32_t word[at_once][4] = {};
#pragma unroll
      for (int i = 0; i < at_once; ++i) {
        const int64_t r = row + (first + i) % 2 * 8;
        if (g.beta != 0 && r < g.m)
          reinterpret_cast<uint4&>(word[i]) =
              *reinterpret_cast<const uint4*>(g.c + r * g.ldc + left + (first + i) / 2 * 32 + lane * 8);
      }
#pragma unroll
      for (int i = 0; i < at_once; ++i) {
        const int64_t r = row + (first + i) % 2 * 8;
        if (g.beta != 0) transpose(word[i]);
#pragma unroll
        for (int j = 0; j < 4; ++j) {
          const int at = ((first + i) / 2 * 4 + j) * 4 + (first + i) % 2 * 2;
          word[i][j] = update_pair(g, word[i][j], sum[at], sum[at + 1]);
        }
        transpose(word[i]);
        if (r < g.m)
          *reinterpret_cast<uint4*>(g.c + r * g.ldc + left + (first + i) / 2 * 32 + lane * 8) =
              reinterpret_cast<const uint4&>(word[i]);
      }
    }
    return;
  }
#pragma unroll
  for (int i = 0; i < columns / 2; ++i) {
    const int64_t r = row + i / 2 % 2 * 8, c = left + i / 4 * 8 + lane * 2 + i % 2;
    if (r < g.m && c < g.n) lab::update(g.c[r * g.ldc + c], sum[i], g.alpha, g.beta);
  }
}

__device__ __forceinline__ void multiply_all(const lab::Gemm<bf16>& g, Shared& shared) {
  const TeamTiles tiles(g.m, g.n);
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, group = warp / 4;
  const bool wide = g.ldc % 8 == 0 && reinterpret_cast<uintptr_t>(g.c) % 16 == 0;
  const auto release = [&](int stage) {
    if (lane < team) shared.empty[stage].arrive_at(lane);
  };
  Turn turn;
  for (int tile = blockIdx.x / team; tile < tiles.count(); tile += gridDim.x / team) {
    float sum[columns / 2] = {};
    int used = -1;  // the stage that the products before read
    for (int64_t k = 0; k < g.k; k += depth, turn.next()) {
      const Stage& stage = shared.stage[turn.stage];
      shared.full[turn.stage].wait(turn.phase);
      const uint64_t a = lab::describe_tile(stage.a[group * group_rows]);
      const uint64_t b = lab::describe_tile_by_rows(stage.b, sizeof(stage.b[0]));
      lab::begin_products();
#pragma unroll
      for (int q = 0; q < depth / step; ++q)
        lab::multiply_add(sum, a + q * (step * sizeof(bf16) / 16), b + q * (step * lines * sizeof(bf16) / 16));
      lab::commit_products();
      lab::wait_for_products<1>();
      if (used >= 0) release(used);
      used = turn.stage;
    }
    lab::wait_for_products<0>();
    release(used);
    const int64_t row = tiles.top(tile) + lab::block_of_team() * rows + warp * 16 + lane / 4;
    store(g, row, tiles.left(tile), wide, sum);
  }
}

__global__ void __cluster_dims__(team, 1, 1) __launch_bounds__(threads_a_block, 1)
    gemm(lab::Gemm<bf16> g, const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b) {
  extern __shared__ __align__(1024) char memory[];
  Shared& shared = *reinterpret_cast<Shared*>(memory);
  if (threadIdx.x == 0) {
    for (int s = 0; s < stages; ++s) {
      shared.full[s].begin(1);
      shared.empty[s].begin(multiplying_warps * team);
    }
    lab::publish_barriers();
  }
  lab::meet_team();
  const int warp = threadIdx.x / 32;
  if (warp >= multiplying_warps) {
    lab::keep_registers<40>();
    if (warp == multiplying_warps) copy_all(g, a, b, shared);
  } else {
    lab::take_registers<232>();
    multiply_all(g, shared);
  }
  lab::meet_team();  // no block ends while the other one still writes to it
}

/// Blocks that run at once, whole teams only.
static int blocks_at_once() {
  cudaLaunchAttribute shape;
  shape.id = cudaLaunchAttributeClusterDimension;
  shape.val.clusterDim = {team, 1, 1};
  cudaLaunchConfig_t config = {};
  config.gridDim = team, config.blockDim = threads_a_block, config.dynamicSmemBytes = sizeof(Shared);
  config.attrs = &shape, config.numAttrs = 1;
  int teams = 0;
  lab::demand(cudaOccupancyMaxActiveClusters(&teams, gemm, &config));
  return teams * team;
}

LAB_GEMM_WORKSPACE(bf16)(const lab::Gemm<bf16>& g) { return lab::Factors(g).workspace_bytes(); }

LAB_GEMM_GPU(bf16)(const lab::Gemm<bf16>& g, lab::Stream stream) {
  bf16* const space = static_cast<bf16*>(g.workspace);
  const lab::Factors factors(g);
  const CUtensorMap a = factors.a.describe(rows, space, stream);
  const CUtensorMap b = factors.b.describe(depth, space + factors.a.copy_size(), stream);
  lab::demand(cudaFuncSetAttribute(gemm, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(Shared)));
  static const int most = blocks_at_once();
  const int blocks = std::min(TeamTiles(g.m, g.n).count() * team, most);
  gemm<<<blocks, threads_a_block, sizeof(Shared), stream>>>(g, a, b);
}
