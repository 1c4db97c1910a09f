// Cooperative groups: the threads of a block, parts of a warp, the grid of a cooperative launch.
#pragma once

#include "emulator/device/runtime.h"

namespace cooperative_groups {

inline namespace groups {

/// The n-th set bit of a mask.
LAB_INLINE int lab_lane_of(unsigned mask, unsigned n) {
  for (; n > 0; --n) mask &= mask - 1;
  return std::countr_zero(mask);
}

/// Lanes of one warp.
class coalesced_group {
 public:
  explicit coalesced_group(unsigned mask, unsigned index = 0, unsigned count = 1)
      : mask_(mask), index_(index), count_(count) {}
  void sync() const { __syncwarp(mask_); }
  unsigned long long size() const { return static_cast<unsigned>(std::popcount(mask_)); }
  unsigned long long num_threads() const { return size(); }
  unsigned long long thread_rank() const {
    return static_cast<unsigned>(std::popcount(mask_ & ((1u << lab_lane()) - 1)));
  }
  unsigned long long meta_group_rank() const { return index_; }
  unsigned long long meta_group_size() const { return count_; }
  template <class T>
  T shfl(T v, int rank) const {
    return __shfl_sync(mask_, v, lab_lane_of(mask_, static_cast<unsigned>(rank) % size()), 32);
  }
  template <class T>
  T shfl_up(T v, unsigned by) const {
    return shfl(v, static_cast<int>(thread_rank() < by ? thread_rank() : thread_rank() - by));
  }
  template <class T>
  T shfl_down(T v, unsigned by) const {
    return shfl(v, static_cast<int>(thread_rank() + by < size() ? thread_rank() + by : thread_rank()));
  }
  template <class T>
  T shfl_xor(T v, unsigned bits) const {
    const unsigned long long from = thread_rank() ^ bits;
    return shfl(v, static_cast<int>(from < size() ? from : thread_rank()));
  }
  int any(int predicate) const { return __any_sync(mask_, predicate); }
  int all(int predicate) const { return __all_sync(mask_, predicate); }
  unsigned ballot(int predicate) const { return packed(__ballot_sync(mask_, predicate)); }
  template <class T>
  unsigned match_any(T v) const {
    return packed(__match_any_sync(mask_, v));
  }
  template <class T>
  unsigned match_all(T v, int& same) const {
    return packed(__match_all_sync(mask_, v, &same));
  }
  unsigned lab_mask() const { return mask_; }

 private:
  /// Bit i belongs to the thread of rank i.
  unsigned packed(unsigned lanes) const {
    unsigned out = 0;
    int rank = 0;
    for (unsigned rest = mask_; rest; rest &= rest - 1, ++rank) out |= (lanes >> std::countr_zero(rest) & 1u) << rank;
    return out;
  }
  unsigned mask_, index_, count_;
};

struct thread_block {
  static void sync(int line = __builtin_LINE()) { __syncthreads(line); }
  static void barrier_sync(int line = __builtin_LINE()) { __syncthreads(line); }
  struct arrival_token {};
  /// Does nothing: a thread counts as arrived when it waits.
  [[nodiscard]] static arrival_token barrier_arrive() { return {}; }
  static void barrier_wait(arrival_token&&, int line = __builtin_LINE()) { __syncthreads(line); }
  static unsigned size() { return blockDim.x * blockDim.y * blockDim.z; }
  static unsigned num_threads() { return size(); }
  static unsigned thread_rank() {
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  }
  static dim3 group_index() { return blockIdx; }
  static dim3 thread_index() { return threadIdx; }
  static dim3 group_dim() { return blockDim; }
  static dim3 dim_threads() { return blockDim; }
};

struct grid_group {
  static void sync(int line = __builtin_LINE()) { lab_grid_sync(line); }
  static bool is_valid() { return lab_launched_together() != 0; }
  static unsigned long long num_blocks() { return 1ull * gridDim.x * gridDim.y * gridDim.z; }
  static unsigned long long size() { return num_blocks() * thread_block::size(); }
  static unsigned long long num_threads() { return size(); }
  static unsigned long long block_rank() { return blockIdx.x + 1ull * gridDim.x * (blockIdx.y + 1ull * gridDim.y * blockIdx.z); }
  static unsigned long long thread_rank() { return block_rank() * thread_block::size() + thread_block::thread_rank(); }
  static dim3 group_dim() { return gridDim; }
  static dim3 dim_blocks() { return gridDim; }
  static dim3 block_index() { return blockIdx; }
};

template <unsigned n, class Parent = void>
class thread_block_tile : public coalesced_group {
 public:
  static_assert(n <= 32 && std::has_single_bit(n), "the emulated device has tiles of 1, 2, 4, 8, 16 or 32 threads");
  thread_block_tile() : coalesced_group(lanes(), thread_block::thread_rank() / n, (thread_block::size() + n - 1) / n) {}
  explicit thread_block_tile(unsigned index, unsigned count) : coalesced_group(lanes(), index, count) {}
  template <class Other>
  thread_block_tile(const thread_block_tile<n, Other>& other) : coalesced_group(other) {}
  static constexpr unsigned long long size() { return n; }
  static constexpr unsigned long long num_threads() { return n; }

 private:
  static unsigned lanes() { return (n == 32 ? ~0u : (1u << n) - 1) << (lab_lane() / n * n); }
};

LAB_INLINE thread_block_tile<1> this_thread() { return {}; }

/// Any of these groups.
class thread_group {
 public:
  thread_group(const thread_block&) {}
  thread_group(const coalesced_group& g) : lanes_(g) {}
  void sync(int line = __builtin_LINE()) const { lanes_.lab_mask() ? lanes_.sync() : thread_block::sync(line); }
  unsigned long long size() const { return lanes_.lab_mask() ? lanes_.size() : thread_block::size(); }
  unsigned long long num_threads() const { return size(); }
  unsigned long long thread_rank() const {
    return lanes_.lab_mask() ? lanes_.thread_rank() : thread_block::thread_rank();
  }
  unsigned lab_mask() const { return lanes_.lab_mask(); }

 private:
  coalesced_group lanes_{0};
};

template <class Group, class F, class... Args>
LAB_INLINE void invoke_one(const Group& group, F&& f, Args&&... args) {
  if (group.thread_rank() == 0) static_cast<F&&>(f)(static_cast<Args&&>(args)...);
}
LAB_INLINE thread_block this_thread_block() { return {}; }
LAB_INLINE grid_group this_grid() { return {}; }
LAB_INLINE coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

template <unsigned n>
LAB_INLINE thread_block_tile<n, thread_block> tiled_partition(const thread_block&) {
  return {};
}
template <unsigned n, unsigned m, class P>
LAB_INLINE thread_block_tile<n, thread_block_tile<m, P>> tiled_partition(const thread_block_tile<m, P>& tile) {
  return thread_block_tile<n, thread_block_tile<m, P>>(static_cast<unsigned>(tile.thread_rank()) / n, m / n);
}
LAB_INLINE thread_group tiled_partition(const thread_group&, unsigned n) {
  return coalesced_group((n >= 32 ? ~0u : (1u << n) - 1) << (lab_lane() / n * n));
}
LAB_INLINE coalesced_group labeled_partition(const coalesced_group& g, unsigned label) {
  return coalesced_group(__match_any_sync(g.lab_mask(), label));
}
LAB_INLINE coalesced_group binary_partition(const coalesced_group& g, bool yes) {
  const unsigned with = __ballot_sync(g.lab_mask(), yes);
  return coalesced_group(yes ? with : g.lab_mask() & ~with);
}

/// `line` is the line in the source: it identifies the barrier of a block.
template <class Group>
LAB_INLINE void sync(const Group& g, int line = __builtin_LINE()) {
  if constexpr (std::is_base_of_v<coalesced_group, Group>)
    g.sync();
  else
    g.sync(line);
}
template <class Group>
LAB_INLINE unsigned long long thread_rank(const Group& g) {
  return g.thread_rank();
}
template <class Group>
LAB_INLINE unsigned long long group_size(const Group& g) {
  return g.size();
}

template <class T = void>
struct plus {
  template <class A>
  A operator()(A a, A b) const {
    return a + b;
  }
};
template <class T = void>
struct less {
  template <class A>
  A operator()(A a, A b) const {
    return b < a ? b : a;
  }
};
template <class T = void>
struct greater {
  template <class A>
  A operator()(A a, A b) const {
    return a < b ? b : a;
  }
};
template <class T = void>
struct bit_and {
  template <class A>
  A operator()(A a, A b) const {
    return a & b;
  }
};
template <class T = void>
struct bit_or {
  template <class A>
  A operator()(A a, A b) const {
    return a | b;
  }
};
template <class T = void>
struct bit_xor {
  template <class A>
  A operator()(A a, A b) const {
    return a ^ b;
  }
};

}  // namespace groups
}  // namespace cooperative_groups
