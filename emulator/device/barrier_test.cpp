#include <gtest/gtest.h>

#include "emulator/device/testing.h"

namespace lab::emulated {
namespace {

const char word_tag = 0;
using Words = int[1024];

TEST(Barrier, OrdersTheThreadsOfABlock) {
  const Buffer<int> out(3 * 300);
  EXPECT_EQ(run(3, 300,
                [to = static_cast<int*>(out)] {
                  int* words = shared<Words>(&word_tag);
                  const unsigned t = threadIdx.x, next = (t + 1) % blockDim.x;
                  for (int round = 0; round < 4; ++round) {
                    store(words + t, static_cast<int>(t) + round);
                    __syncthreads();
                    store(to + blockIdx.x * blockDim.x + t, load(words + next));
                    __syncthreads();
                  }
                }),
            cudaSuccess);
  const auto got = out.values();
  for (size_t i = 0; i < got.size(); ++i) ASSERT_EQ(got[i], static_cast<int>((i % 300 + 1) % 300 + 3));
  EXPECT_EQ(kinds(mistakes()), Kinds{});
}

TEST(Barrier, CountsVotes) {
  const Buffer<int> out(3 * 100);
  EXPECT_EQ(run(1, 100,
                [to = static_cast<int*>(out)] {
                  const unsigned t = threadIdx.x;
                  to[t] = __syncthreads_count(t % 3 == 0);
                  to[100 + t] = __syncthreads_and(t < 100) * 2 + __syncthreads_and(t != 50);
                  to[200 + t] = __syncthreads_or(t == 99) * 2 + __syncthreads_or(t > 99);
                }),
            cudaSuccess);
  const auto got = out.values();
  for (size_t t = 0; t < 100; ++t) {
    ASSERT_EQ(got[t], 34);
    ASSERT_EQ(got[100 + t], 2);
    ASSERT_EQ(got[200 + t], 2);
  }
}

TEST(BarrierDiagnostics, MissingBarrierIsARace) {
  const Buffer<int> out(64);
  EXPECT_EQ(run(1, 64,
                [to = static_cast<int*>(out)] {
                  int* words = shared<Words>(&word_tag);
                  store(words + threadIdx.x, 1);
                  store(to + threadIdx.x, load(words + (threadIdx.x + 63) % 64));
                }),
            cudaSuccess);
  const auto found = mistakes();
  // The first thread reads what the last has not written yet.
  EXPECT_EQ(kinds(found), (Kinds{lab_race_shared, lab_race_shared, lab_uninitialised_shared}));
}

// Each lane adds the word of an earlier one to its own.
Kinds scan(bool waits) {
  const auto lanes = static_cast<unsigned>(options().lanes);
  EXPECT_EQ(run(1, lanes,
                [=] {
                  int* words = shared<Words>(&word_tag);
                  const unsigned t = threadIdx.x;
                  store(words + t, 1);
                  __syncwarp();
                  for (unsigned before = 1; before < lanes; before *= 2) {
                    const int other = t >= before ? load(words + t - before) : 0;
                    if (waits) __syncwarp();
                    store(words + t, load(words + t) + other);
                    __syncwarp();
                  }
                }),
            cudaSuccess);
  return kinds(mistakes());
}

TEST(BarrierDiagnostics, AWarpFunctionOrdersWhatALaneReadsAndAnotherWrites) {
  EXPECT_EQ(scan(true), Kinds{});
  EXPECT_EQ(scan(false), (Kinds{lab_race_shared, lab_race_shared}));
}

// Outside EXPECT_EQ: inside a macro, everything is on one line.
template <unsigned part>
void two_barriers() {
  if (threadIdx.x < part)
    __syncthreads();
  else
    __syncthreads_count(1);
}
struct OneBarrier {
  int* to;
  void operator()() const {
    if (threadIdx.x == 0) store(to, 1);
    __syncthreads();
    if (threadIdx.x == 1) store(to + 1, load(to));
  }
};

TEST(BarrierDiagnostics, DivergentBarriersAreFoundAndDoNotHang) {
  EXPECT_EQ(run(1, 64, two_barriers<16>), cudaSuccess);
  auto found = mistakes();
  ASSERT_EQ(kinds(found), (Kinds{lab_barrier_differs, lab_barrier_warps}));
  EXPECT_EQ(found[0].origin.thread[0], 0u);
  EXPECT_EQ(found[0].other.thread[0], 16u);
  EXPECT_EQ(run(1, 64, two_barriers<32>), cudaSuccess);
  found = mistakes();
  ASSERT_EQ(kinds(found), Kinds{lab_barrier_warps});
  EXPECT_EQ(found[0].origin.thread[0], 0u);
  EXPECT_EQ(found[0].other.thread[0], 32u);
}

TEST(BarrierDiagnostics, OneBarrierThatTheCompilerDoubledIsNoMistake) {
  const Buffer<int> out(2);
  EXPECT_EQ(run(1, 2, OneBarrier{out}), cudaSuccess);
  EXPECT_EQ(out.values(), (std::vector<int>{1, 1}));
  EXPECT_EQ(kinds(mistakes()), Kinds{});
}

TEST(BarrierDiagnostics, ThreadsThatLeftAreFound) {
  EXPECT_EQ(run(1, 64,
                [] {
                  if (threadIdx.x == 40) return;
                  __syncthreads();
                }),
            cudaSuccess);
  const auto found = mistakes();
  ASSERT_EQ(kinds(found), Kinds{lab_barrier_exited});
  EXPECT_EQ(found[0].other.thread[0], 40u);
}

TEST(BarrierDiagnostics, BlocksThatWriteOneAddressAreFound) {
  const Buffer<int> out(1);
  EXPECT_EQ(run(4, 1, [to = static_cast<int*>(out)] { store(to, static_cast<int>(blockIdx.x)); }),
            cudaSuccess);
  EXPECT_EQ(kinds(mistakes()), Kinds{lab_race_blocks});
  EXPECT_EQ(run(4, 1, [to = static_cast<int*>(out)] { atomicAdd(to, 1); }), cudaSuccess);
  EXPECT_EQ(kinds(mistakes()), Kinds{});
  EXPECT_EQ(out.values(), std::vector<int>{3 + 4});
}

}  // namespace
}  // namespace lab::emulated
