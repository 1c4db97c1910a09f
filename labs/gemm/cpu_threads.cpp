// All cores: packed blocks of A and B, a tile of C in registers, LAB_THREADS threads.
//
// Compared with cpu_avx_blocked, three things are new:
//
//   Packing. A block of B and one of A are copied so that the inner loop reads both in order. Rows no longer
//   cause
//     cache conflicts, and edges are filled with zeros, so they need no loops of their own.
//   A tile of C in registers: several rows of two vectors. Each loaded number is used several times per step,
//   and
//     enough sums grow at once that none waits for its previous addition.
//   Threads. All of them pack a block of B together; then each takes blocks of rows of A until none is left.
// ("Anatomy of High-Performance Matrix Multiplication", ACM TOMS 34(3), 2008; the loops and names are from
// there.)
//
// With AVX-512 the vectors are twice as long and the tile is larger. The code asks the CPU when the
// library is loaded. LAB_THREADS sets the number of threads; the default is 1.
//
// What limits it: the multiply-adds. For small matrices it is packing and waiting for the slowest thread.
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "lab/avx.h"
#include "lab/gemm.h"

LAB_NEEDS(avx2, fma, threads);

#ifndef MC
#define MC 240
#endif
#ifndef KC
#define KC 512
#endif
#ifndef NC
#define NC 4032
#endif
static_assert(MC >= 12 && KC >= 1 && NC >= 32, "a block holds at least one tile: MC 12, KC 1, NC 32");

/// One tile of C, mr x nr: multiplies a packed strip of A with one of B and writes the sums to `c`.
template <class T>
using Micro = void (*)(int64_t k, const T* a, const T* b, T* c);

constexpr int most_rows = 12, most_bytes_wide = 128;

template <class T>
static void micro_avx2(int64_t k, const T* a, const T* b, T* c) {
  using V = lab::Avx<T>;
  constexpr int mr = 6, lanes = V::lanes;
  typename V::Vector sum[mr][2];
  for (auto& row : sum) row[0] = row[1] = V::zero();
  for (int64_t p = 0; p < k; ++p, a += mr, b += 2 * lanes) {
    const auto b0 = V::load(b), b1 = V::load(b + lanes);
#pragma GCC unroll 6
    for (int r = 0; r < mr; ++r) {
      const auto x = V::broadcast(a[r]);
      sum[r][0] = V::fmadd(x, b0, sum[r][0]);
      sum[r][1] = V::fmadd(x, b1, sum[r][1]);
    }
  }
#pragma GCC unroll 6
  for (int r = 0; r < mr; ++r) {
    V::store(c + 2 * r * lanes, sum[r][0]);
    V::store(c + (2 * r + 1) * lanes, sum[r][1]);
  }
}

/// The same with 512-bit vectors. The file is compiled for AVX2, so it uses the vector types of the compiler.
template <class T>
__attribute__((target("avx512f"))) static void micro_avx512(int64_t k, const T* a, const T* b, T* c) {
  constexpr int mr = 12, lanes = 64 / sizeof(T);
  typedef T Vector __attribute__((vector_size(64), aligned(alignof(T)), may_alias));
  Vector sum[mr][2] = {};
  for (int64_t p = 0; p < k; ++p, a += mr, b += 2 * lanes) {
    const Vector b0 = *reinterpret_cast<const Vector*>(b), b1 = *reinterpret_cast<const Vector*>(b + lanes);
#pragma GCC unroll 12
    for (int r = 0; r < mr; ++r) {
      sum[r][0] += a[r] * b0;
      sum[r][1] += a[r] * b1;
    }
  }
#pragma GCC unroll 12
  for (int r = 0; r < mr; ++r) {
    *reinterpret_cast<Vector*>(c + 2 * r * lanes) = sum[r][0];
    *reinterpret_cast<Vector*>(c + (2 * r + 1) * lanes) = sum[r][1];
  }
}

static const bool has_avx512 = __builtin_cpu_supports("avx512f");

/// The best micro-kernel for the CPU, and the size of its tile.
template <class T>
struct Shape {
  Micro<T> micro = has_avx512 ? micro_avx512<T> : micro_avx2<T>;
  int64_t mr = has_avx512 ? 12 : 6;
  int64_t nr = (has_avx512 ? 128 : 64) / static_cast<int64_t>(sizeof(T));
};

static int64_t up(int64_t count, int64_t step) { return (count + step - 1) / step * step; }

static int wanted_threads() {
  const char* text = std::getenv("LAB_THREADS");
  return std::clamp(text ? std::atoi(text) : 1, 1, 1024);
}

/// A barrier for `size` threads. A thread polls for a while before it sleeps, because waking up takes longer
/// than a small product.
class Barrier {
 public:
  explicit Barrier(int size) : size_(size) {}
  void wait() {
    const unsigned turn = turn_;
    if (++arrived_ == size_) {
      arrived_ = 0;
      ++turn_;
      turn_.notify_all();
      return;
    }
    for (int looks = 0; looks < 2000; ++looks) {
      if (turn_ != turn) return;
      _mm_pause();
    }
    turn_.wait(turn);
  }

 private:
  const int size_;
  std::atomic<int> arrived_ = 0;
  std::atomic<unsigned> turn_ = 0;
};

/// Threads that stay alive between calls, because starting them takes longer than a small product.
class Team {
 public:
  explicit Team(int size) : size_(size), start_(size), end_(size), inside_(size) {
    for (int i = 1; i < size; ++i)
      others_.emplace_back([this] {
        for (start_.wait(); !done_; start_.wait()) {
          work_(problem_);
          end_.wait();
        }
      });
  }
  ~Team() {
    done_ = true;
    start_.wait();
    for (std::thread& t : others_) t.join();
  }
  /// Every thread calls work(problem). Returns when all are done.
  void run(void (*work)(void*), void* problem) {
    work_ = work;
    problem_ = problem;
    start_.wait();
    work(problem);
    end_.wait();
  }
  void wait() { inside_.wait(); }
  int size() const { return size_; }

 private:
  int size_;
  Barrier start_, end_, inside_;
  bool done_ = false;
  void (*work_)(void*) = nullptr;
  void* problem_ = nullptr;
  std::vector<std::thread> others_;
};

static Team& team() {
  static Team the_team(wanted_threads());
  return the_team;
}

/// Packs rows x k of A: strips of `mr` rows, each column by column.
template <class T>
static void pack_a(const T* a, int64_t lda, int64_t rows, int64_t k, int64_t mr, T* to) {
  for (int64_t i = 0; i < rows; i += mr, to += mr * k) {
    const int64_t count = std::min(mr, rows - i);
    for (int64_t r = 0; r < mr; ++r)
      for (int64_t p = 0; p < k; ++p) to[p * mr + r] = r < count ? a[(i + r) * lda + p] : T(0);
  }
}

/// Packs one strip of B: k rows of `count` columns, filled with zeros up to `nr`.
template <class T>
static void pack_b(const T* b, int64_t ldb, int64_t k, int64_t count, int64_t nr, T* to) {
  for (int64_t p = 0; p < k; ++p, b += ldb, to += nr) {
    std::copy_n(b, count, to);
    std::fill(to + count, to + nr, T(0));
  }
}

/// One call; all threads share it.
template <class T>
class Product {
 public:
  explicit Product(const lab::Gemm<T>& g) : g_(g), threads_(team().size()) {
    // At least two blocks of rows per thread, if there are enough rows.
    mc_ = std::clamp(up((g.m + 2 * threads_ - 1) / (2 * threads_), s_.mr), s_.mr, MC / s_.mr * s_.mr);
    kc_ = std::min<int64_t>(g.k, KC);
    nc_ = std::min(up(g.n, s_.nr), NC / s_.nr * s_.nr);
    row_blocks_ = (g.m + mc_ - 1) / mc_;
  }

  size_t workspace() const { return (up(nc_ * kc_, 64) + threads_ * a_size()) * sizeof(T); }

  void run() {
    team().run([](void* self) { static_cast<Product*>(self)->work(); }, this);
  }

 private:
  int64_t a_size() const { return up(mc_ * kc_, 64); }

  void work() {
    T* const b = static_cast<T*>(g_.workspace);
    T* const a = b + up(nc_ * kc_, 64) + number_++ * a_size();
    for (int64_t j = 0; j < g_.n; j += nc_)
      for (int64_t p = 0; p < g_.k; p += kc_) {
        const int64_t width = std::min(nc_, g_.n - j), depth = std::min(kc_, g_.k - p);
        const int64_t strips = (width + s_.nr - 1) / s_.nr;
        for (int64_t s; (s = next_strip_++) < strips;)
          pack_b(g_.b + p * g_.ldb + j + s * s_.nr, g_.ldb, depth, std::min(s_.nr, width - s * s_.nr), s_.nr,
                 b + s * s_.nr * depth);
        team().wait();
        next_strip_ = 0;
        // Few rows: several threads share a block, and each takes a part of the columns.
        const int64_t parts = std::clamp<int64_t>(2 * threads_ / row_blocks_, 1, strips);
        for (int64_t t; (t = next_block_++) < row_blocks_ * parts;) {
          const int64_t i = t / parts * mc_, part = t % parts;
          multiply(i, j, p, depth, strips * part / parts, strips * (part + 1) / parts, a, b);
        }
        team().wait();
        next_block_ = 0;
      }
  }

  /// Multiplies a block of rows with strips [first, last) of B.
  void multiply(int64_t i, int64_t j, int64_t p, int64_t depth, int64_t first, int64_t last, T* a,
                const T* b) {
    const int64_t rows = std::min(mc_, g_.m - i);
    pack_a(g_.a + i * g_.lda + p, g_.lda, rows, depth, s_.mr, a);
    const T beta = p == 0 ? g_.beta : T(1);  // later blocks add to C
    alignas(64) T tile[most_rows * most_bytes_wide / sizeof(T)];
    for (int64_t s = first; s < last; ++s)
      for (int64_t r = 0; r < rows; r += s_.mr) {
        s_.micro(depth, a + r * depth, b + s * s_.nr * depth, tile);
        const int64_t col = j + s * s_.nr, count = std::min(s_.nr, g_.n - col);
        for (int64_t y = 0; y < std::min(s_.mr, rows - r); ++y) {
          T* c = g_.c + (i + r + y) * g_.ldc + col;
          for (int64_t x = 0; x < count; ++x) lab::update(c[x], tile[y * s_.nr + x], g_.alpha, beta);
        }
      }
  }

  const lab::Gemm<T> g_;
  const Shape<T> s_;
  const int64_t threads_;
  int64_t mc_, kc_, nc_, row_blocks_;
  std::atomic<int64_t> number_ = 0, next_strip_ = 0, next_block_ = 0;
};

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) { Product(g).run(); }
LAB_GEMM_CPU(double)(const lab::Gemm<double>& g) { Product(g).run(); }
LAB_GEMM_WORKSPACE(float)(const lab::Gemm<float>& g) { return Product(g).workspace(); }
LAB_GEMM_WORKSPACE(double)(const lab::Gemm<double>& g) { return Product(g).workspace(); }

LAB_ABOUT() {
  static const std::string about = std::string("micro-kernel for ") + (has_avx512 ? "AVX-512" : "AVX2") +
                                   ", threads " + std::to_string(team().size());
  return about.c_str();
}
