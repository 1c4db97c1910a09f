// gpu_shared on copies of A and B whose rows are a multiple of PITCH bytes long, filled with zeros.
//
// Compared with gpu_shared: if the rows of a matrix are not a multiple of 128 bytes long, they begin in
// the middle of a memory segment, and the 32 neighbours that a warp reads lie in two segments instead of
// one. In the copy every row begins at a segment (cudaMallocPitch does this for memory that it allocates;
// here the matrices exist already, so each call pays for the copy: m * k + k * n moves for m * n * k
// multiply-adds). The copy consists of whole tiles, so the inner loop needs no check at the edges.
//
// It helps most for odd n. If the rows are aligned already, it only costs the copy.
//
// What limits it: the same as gpu_shared, two numbers from shared memory per multiply-add.
//
// Drawing:
//   product
//   rows = BLOCK; columns = BLOCK; threads = BLOCK * BLOCK; depth = BLOCK
//   row = t / BLOCK; column = t % BLOCK
//   A and B are copies whose rows begin at multiples of PITCH bytes.
#include "lab/gemm.h"

#ifndef BLOCK
#define BLOCK 16
#endif
#ifndef PITCH
#define PITCH 512
#endif
constexpr int threads_a_block = BLOCK * BLOCK;
static_assert(threads_a_block <= 1024, "a thread block holds at most 1024 threads: BLOCK is 32 at most");
static_assert(PITCH % 16 == 0 && PITCH >= 16, "PITCH is in bytes, a multiple of 16");

/// `count` rounded up to whole tiles.
__host__ __device__ static int64_t tiled(int64_t count) { return (count + BLOCK - 1) / BLOCK * BLOCK; }

/// Row length of a copy, in elements.
template <class T>
static int64_t pitched(int64_t columns) {
  const int64_t bytes = tiled(columns) * static_cast<int64_t>(sizeof(T));
  return (bytes + PITCH - 1) / PITCH * PITCH / static_cast<int64_t>(sizeof(T));
}

/// Copies rows x columns elements to whole tiles and fills the rest with zeros.
template <class T>
__global__ void pad(const T* from, int64_t ld, int64_t rows, int64_t columns, T* to, int64_t pitch) {
  const int64_t col = int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (col >= tiled(columns)) return;
  for (int64_t row = int64_t{blockIdx.y} * blockDim.y + threadIdx.y; row < tiled(rows);
       row += int64_t{gridDim.y} * blockDim.y) {
    to[row * pitch + col] = row < rows && col < columns ? from[row * ld + col] : T(0);
  }
}

template <class T>
__global__ void __launch_bounds__(threads_a_block)
    gemm(lab::Gemm<T> g, const T* a_copy, int64_t a_pitch, const T* b_copy, int64_t b_pitch) {
  __shared__ T a[BLOCK][BLOCK];
  __shared__ T b[BLOCK][BLOCK];
  const int x = threadIdx.x, y = threadIdx.y;
  const int64_t col = int64_t{blockIdx.x} * BLOCK + x;
  // Runs once, unless C has more rows than the grid has threads along y.
  for (int64_t top = int64_t{blockIdx.y} * BLOCK; top < g.m; top += int64_t{gridDim.y} * BLOCK) {
    const int64_t row = top + y;
    const auto element_of_a = [&](int64_t p) { return p < g.k ? a_copy[row * a_pitch + p + x] : T(0); };
    const auto element_of_b = [&](int64_t p) { return p < g.k ? b_copy[(p + y) * b_pitch + col] : T(0); };
    T sum = 0, next_a = element_of_a(0), next_b = element_of_b(0);
    for (int64_t p = 0; p < g.k; p += BLOCK) {
      a[y][x] = next_a;
      b[y][x] = next_b;
      __syncthreads();                   // both tiles are complete
      next_a = element_of_a(p + BLOCK);  // arrives while these tiles are used
      next_b = element_of_b(p + BLOCK);
      for (int q = 0; q < BLOCK; ++q) sum += a[y][q] * b[q][x];
      __syncthreads();  // no thread reads them any more
    }
    if (row < g.m && col < g.n) lab::update(g.c[row * g.ldc + col], sum, g.alpha, g.beta);
  }
}

/// The copies: first A, then B.
template <class T>
static size_t workspace(const lab::Gemm<T>& g) {
  return (tiled(g.m) * pitched<T>(g.k) + tiled(g.k) * pitched<T>(g.n)) * sizeof(T);
}

template <class T>
static void launch(const lab::Gemm<T>& g, lab::Stream stream) {
  const int64_t a_pitch = pitched<T>(g.k), b_pitch = pitched<T>(g.n);
  T* a = static_cast<T*>(g.workspace);
  T* b = a + tiled(g.m) * a_pitch;
  const dim3 strip(32, 8), block(BLOCK, BLOCK);
  pad<<<lab::grid_for(tiled(g.k), tiled(g.m), strip), strip, 0, stream>>>(g.a, g.lda, g.m, g.k, a, a_pitch);
  pad<<<lab::grid_for(tiled(g.n), tiled(g.k), strip), strip, 0, stream>>>(g.b, g.ldb, g.k, g.n, b, b_pitch);
  gemm<<<lab::grid_for(g.n, g.m, block), block, 0, stream>>>(g, a, a_pitch, b, b_pitch);
}

LAB_GEMM_GPU(float)(const lab::Gemm<float>& g, lab::Stream stream) { launch(g, stream); }
LAB_GEMM_GPU(double)(const lab::Gemm<double>& g, lab::Stream stream) { launch(g, stream); }
LAB_GEMM_WORKSPACE(float)(const lab::Gemm<float>& g) { return workspace(g); }
LAB_GEMM_WORKSPACE(double)(const lab::Gemm<double>& g) { return workspace(g); }
