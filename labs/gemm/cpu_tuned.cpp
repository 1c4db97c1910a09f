// As fast as the libraries: blocks placed in the caches, rows copied instead of transposed, everything fetched early.
//
// A block of B, half of the L2 cache and at most 512 KiB, is packed in panels as wide as a tile. Strips of A move past it, and a tile of C
// grows in registers: 12 rows of two vectors with AVX-512, 6 with AVX2. The CPU is asked which it has when the library
// is loaded. Compared with cpu_threads, measured on an AMD Zen 5 with n = 2048, of a limit of 238 GFLOP/s in f32:
//
//   The block of B in L2 instead of L3: tiles alone reach 97 % of the limit instead of 80 %. The loads of B are in
//     order, so those from L2 are never waited for.
//   A is packed row by row. A tile reads one element of each row per step, which costs the same as reading a column,
//     and a copy of rows needs no transpose. A cache line between the rows keeps them apart in L1.
//   What comes next is fetched while a tile is computed: rows of the next strip (6 %) and the tile of C (12 %). A line
//     at a time: all at once, loads of the tile wait for them (5 %). Rows of B, eight ahead of the copy: 4 %. With
//     n = 1001 a row of the tile lies in three cache lines; to fetch the third gained 11 % in f32, 16 % in f64.
//   At most 512 KiB: on an Intel Xeon with 2 MiB of L2, of which other virtual cores use a part, 16 threads with blocks of
//     1 MiB reach 0.85 of the rate. There the panel of B is fetched to L1 as well, 16 steps ahead: 2 to 4 % (none here).
//   Rows of 2048 bytes in both types: 512 steps instead of 256 are 8 % slower in f64.
//   Masks instead of copies at the edges of C. No measurable difference, but less code.
//   Each thread computes parts of C alone, with packed blocks of its own. Two threads that share blocks wait for each
//     other at the beginning and the end of each: 23 % slower in f64, no difference in f32.
//   Four parts for each of 16 threads, and who is ready takes the next: 10 to 24 % on the Xeon, where other programs slow
//     down some of the cores. Few threads get one part each, because each part packs its own copy of A and B.
//
// More rows in a tile (14) or fewer (8) change nothing. What limits it: the multiply-adds, 91 % of the limit in f32 and
// 90 % in f64. The rest is packing and C, which come from L3 and memory.
#include <omp.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "lab/avx.h"
#include "lab/gemm.h"

LAB_NEEDS(avx2, fma, openmp);

#ifndef AVX512
#define AVX512 1
#endif
#ifndef ROW_BYTES
#define ROW_BYTES 2048
#endif
LAB_TUNE(ROW_BYTES, 1024, 2048, 4096);

/// Columns of A in a block, and the distance of the rows of a strip: one cache line more, because rows that lie 4096
/// bytes apart share a place in the L1 cache.
template <class T>
constexpr int64_t depth = ROW_BYTES / sizeof(T);
template <class T>
constexpr int64_t pitch = (ROW_BYTES + 64) / sizeof(T);

/// One tile of C, at most `rows` x 2 vectors, and what to fetch meanwhile.
template <class T>
struct Tile {
  int64_t k;
  const T *a, *b;  // a strip, `pitch` apart, and a panel
  const T* next;   // two rows of the next strip, next_pitch apart
  int64_t next_pitch;
  T* c;
  int64_t ldc, rows, columns;
  T alpha, beta;

  /// Fetches a part of what is needed later: with all of it at once, the loads of the tile would have to wait.
  [[gnu::always_inline]] void prefetch(int64_t p, int64_t line) const {
    __builtin_prefetch(next + p);
    __builtin_prefetch(next + next_pitch + p);
    const int64_t row = p / line;
    if (row < rows) {
      __builtin_prefetch(c + row * ldc);
      __builtin_prefetch(c + row * ldc + columns / 2);
      __builtin_prefetch(c + row * ldc + columns - 1);  // a third line, if rows are not aligned
    }
  }
};

/// Not inline: with AVX512=0 the caller's variables would take registers that the sums need, and f32 take twice as long.
template <class T>
[[gnu::noinline]] static void tile_avx2(const Tile<T>& t) {
  using V = lab::Avx<T>;
  constexpr int rows = 6, lanes = V::lanes, line = 2 * lanes;
  typename V::Vector sum[rows][2];
  for (auto& row : sum) row[0] = row[1] = V::zero();
  const T *a = t.a, *b = t.b;
  for (int64_t p = 0; p < t.k; p += line) {
    t.prefetch(p, line);
    for (const T* end = a + std::min<int64_t>(line, t.k - p); a < end; ++a, b += 2 * lanes) {
      const auto b0 = V::load(b), b1 = V::load(b + lanes);
#pragma GCC unroll 6
      for (int r = 0; r < rows; ++r) {
        const auto x = V::broadcast(a[r * pitch<T>]);
        sum[r][0] = V::fmadd(x, b0, sum[r][0]);
        sum[r][1] = V::fmadd(x, b1, sum[r][1]);
      }
    }
  }
  if (t.rows == rows && t.columns == 2 * lanes) {
#pragma GCC unroll 6
    for (int r = 0; r < rows; ++r)
      for (int v = 0; v < 2; ++v) lab::update(t.c + r * t.ldc + v * lanes, sum[r][v], t.alpha, t.beta);
    return;
  }
  T edge[rows][2 * lanes];
#pragma GCC unroll 6
  for (int r = 0; r < rows; ++r)
    for (int v = 0; v < 2; ++v) V::store(edge[r] + v * lanes, sum[r][v]);
  for (int64_t r = 0; r < t.rows; ++r)
    for (int64_t x = 0; x < t.columns; ++x) lab::update(t.c[r * t.ldc + x], edge[r][x], t.alpha, t.beta);
}

// The file is compiled for AVX2; these functions are compiled for AVX-512.
#define FOR_AVX512 __attribute__((target("avx512f")))

FOR_AVX512 static __m512 load(__mmask16 mask, const float* p) { return _mm512_maskz_loadu_ps(mask, p); }
FOR_AVX512 static __m512d load(__mmask16 mask, const double* p) { return _mm512_maskz_loadu_pd(mask, p); }
FOR_AVX512 static void store(float* p, __mmask16 mask, __m512 v) { _mm512_mask_storeu_ps(p, mask, v); }
FOR_AVX512 static void store(double* p, __mmask16 mask, __m512d v) { _mm512_mask_storeu_pd(p, mask, v); }

/// A mask reads no element of C if beta is 0, and writes none outside the matrix.
template <class T>
FOR_AVX512 static void tile_avx512(const Tile<T>& t) {
  constexpr int rows = 12, lanes = 64 / sizeof(T), line = lanes;
  typedef T Vector __attribute__((vector_size(64)));
  Vector sum[rows][2] = {};
  const T *a = t.a, *b = t.b;
  for (int64_t p = 0; p < t.k; p += line) {
    t.prefetch(p, line);
    for (const T* end = a + std::min<int64_t>(line, t.k - p); a < end; ++a, b += 2 * lanes) {
      const Vector b0 = load(-1, b), b1 = load(-1, b + lanes);
      __builtin_prefetch(b + 16 * 2 * lanes);
      __builtin_prefetch(b + 16 * 2 * lanes + lanes);
#pragma GCC unroll 12
      for (int r = 0; r < rows; ++r) {
        sum[r][0] += a[r * pitch<T>] * b0;
        sum[r][1] += a[r * pitch<T>] * b1;
      }
    }
  }
  const auto inside = [&](int v) { return (1u << std::clamp<int64_t>(t.columns - v * lanes, 0, lanes)) - 1; };
  const unsigned write[] = {inside(0), inside(1)};
#pragma GCC unroll 12
  for (int r = 0; r < rows; ++r) {
    if (r == t.rows) return;
    for (int v = 0; v < 2; ++v) {
      T* const c = t.c + r * t.ldc + v * lanes;
      store(c, write[v], t.alpha * sum[r][v] + t.beta * load(t.beta == 0 ? 0 : write[v], c));
    }
  }
}

static const bool has_avx512 = AVX512 && __builtin_cpu_supports("avx512f");
static const int64_t mr = has_avx512 ? 12 : 6;
template <class T>
static const int64_t nr = (has_avx512 ? 128 : 64) / sizeof(T);

static int64_t up(int64_t count, int64_t step) { return (count + step - 1) / step * step; }

/// Columns of a block of B.
static int64_t block_columns() {
  static const int64_t l2 = sysconf(_SC_LEVEL2_CACHE_SIZE);
  return std::clamp<int64_t>(std::min<int64_t>(l2 / 2, 512 << 10) / ROW_BYTES / 32 * 32, 64, 1024);
}

/// Row q of a block of B: a piece of each panel. The last panel is filled with zeros.
template <class T>
static void pack_b(const T* from, int64_t width, int64_t q, int64_t k, int64_t ahead, T* to) {
  for (int64_t x = 0; x < width; x += nr<T>) {
    __builtin_prefetch(from + x + ahead);
    __builtin_prefetch(from + x + ahead + 64 / sizeof(T));
    T* const piece = to + x * k + q * nr<T>;
    const int64_t count = std::min(nr<T>, width - x);
    std::copy_n(from + x, count, piece);
    std::fill(piece + count, piece + nr<T>, T(0));
  }
}

/// Elements of packed A: all rows, in strips.
template <class T>
static int64_t size_of_a(const lab::Gemm<T>& g) {
  return up(g.m, mr) * pitch<T>;
}

template <class T>
static void multiply_part(const lab::Gemm<T>& g) {
  T* const packed_a = static_cast<T*>(g.workspace);
  T* const packed_b = packed_a + size_of_a(g);
  const int64_t nc = block_columns();
  const auto compute = has_avx512 ? tile_avx512<T> : tile_avx2<T>;
  for (int64_t p = 0; p < g.k; p += depth<T>) {
    const int64_t k = std::min(depth<T>, g.k - p);
    for (int64_t j = 0; j < g.n; j += nc) {
      const int64_t width = std::min(nc, g.n - j);
      for (int64_t q = 0; q < k; ++q) pack_b(g.b + (p + q) * g.ldb + j, width, q, k, 8 * g.ldb, packed_b);
      // The first block of columns packs A, the others find it packed.
      const T* const rows_of_a = j == 0 ? g.a + p : packed_a;
      const int64_t distance = j == 0 ? g.lda : pitch<T>;
      for (int64_t i = 0; i < g.m; i += mr) {
        const int64_t rows = std::min(mr, g.m - i);
        T* const strip = packed_a + i * pitch<T>;
        if (j == 0)
          for (int64_t r = 0; r < rows; ++r) std::copy_n(g.a + (i + r) * g.lda + p, k, strip + r * pitch<T>);
        for (int64_t x = 0; x < width; x += nr<T>) {
          const int64_t next = std::min(i + mr + 2 * x / nr<T> % mr, g.m - 1);
          compute({k, strip, packed_b + x * k, rows_of_a + next * distance, distance, g.c + i * g.ldc + j + x, g.ldc,
                   rows, std::min(nr<T>, width - x), g.alpha, p == 0 ? g.beta : T(1)});
        }
      }
    }
  }
}

/// C is cut into parts: whole tiles, nearly square. Parts beside each other need the same rows of A, and
/// parts below each other the same columns of B: each part packs its own copy.
template <class T>
struct Parts {
  explicit Parts(const lab::Gemm<T>& g) {
    const int64_t threads = omp_get_max_threads(), wanted = threads > 4 ? 4 * threads : threads;
    int64_t down = static_cast<int64_t>(std::sqrt(wanted));
    while (wanted % down != 0) --down;
    rows = up((g.m + down - 1) / down, mr);
    columns = up((g.n + wanted / down - 1) / (wanted / down), nr<T>);
    across = (g.n + columns - 1) / columns;
    count = (g.m + rows - 1) / rows * across;
    space =
        up(size_of_a(g.rows(0, rows)) + std::min(g.k, depth<T>) * std::min(columns, block_columns()), 64 / sizeof(T));
  }

  int64_t rows, columns, across, count;
  int64_t space;  // elements of work space of a thread
};

template <class T>
static void multiply(const lab::Gemm<T>& g) {
  const Parts<T> parts(g);
#pragma omp parallel for schedule(dynamic)
  for (int64_t i = 0; i < parts.count; ++i) {
    const int64_t first = i / parts.across * parts.rows, column = i % parts.across * parts.columns;
    lab::Gemm<T> part = g.rows(first, std::min(parts.rows, g.m - first));
    part.n = std::min(parts.columns, g.n - column);
    part.b += column;
    part.c += column;
    part.workspace = static_cast<T*>(g.workspace) + omp_get_thread_num() * parts.space;
    multiply_part(part);
  }
}

template <class T>
static size_t space(const lab::Gemm<T>& g) {
  const Parts<T> parts(g);
  return omp_get_max_threads() * parts.space * sizeof(T);
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) { multiply(g); }
LAB_GEMM_CPU(double)(const lab::Gemm<double>& g) { multiply(g); }
LAB_GEMM_WORKSPACE(float)(const lab::Gemm<float>& g) { return space(g); }
LAB_GEMM_WORKSPACE(double)(const lab::Gemm<double>& g) { return space(g); }

LAB_ABOUT() { return has_avx512 ? "tiles for AVX-512" : "tiles for AVX2"; }
