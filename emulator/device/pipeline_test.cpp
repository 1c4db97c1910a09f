#include <gtest/gtest.h>

#include "cuda_pipeline.h"
#include "emulator/device/barrier_state.h"
#include "emulator/device/testing.h"

namespace lab::emulated {
namespace {

constexpr int threads = 32;
const char tile_tag = 0;
using Tile = int[64 * 4];

int* tile() { return shared<Tile>(&tile_tag); }
std::vector<int> counted(size_t n) {
  std::vector<int> out(n);
  for (size_t i = 0; i < n; ++i) out[i] = static_cast<int>(i) + 1;
  return out;
}

TEST(Pipeline, CopiesOfEverySize) {
  const Buffer<int> in(counted(threads * 4)), out(threads * 4);
  for (const int words : {1, 2, 4}) {
    EXPECT_EQ(run(3, threads,
                  [=, from = static_cast<int*>(in), to = static_cast<int*>(out)] {
                    const int t = static_cast<int>(threadIdx.x);
                    __pipeline_memcpy_async(tile() + t * words, from + t * words, 4 * words);
                    __pipeline_commit();
                    __pipeline_wait_prior(0);
                    __syncthreads();
                    const int other = (t + 1) % threads;
                    if (blockIdx.x == 0)
                      for (int w = 0; w < words; ++w)
                        store(to + t * words + w, load(tile() + other * words + w));
                  }),
              cudaSuccess);
    const auto got = out.values();
    for (int i = 0; i < threads * words; ++i)
      ASSERT_EQ(got[static_cast<size_t>(i)], (i + words) % (threads * words) + 1) << words;
  }
  EXPECT_EQ(kinds(mistakes()), Kinds{});
}

TEST(Pipeline, EachWaitMakesTheOldestBatches) {
  const Buffer<int> in(counted(4)), out(std::vector<int>(8));
  EXPECT_EQ(run(1, 1,
                [from = static_cast<int*>(in), to = static_cast<int*>(out)] {
                  for (int i = 0; i < 4; ++i) tile()[i] = -1;
                  for (int i = 0; i < 3; ++i) {
                    __pipeline_memcpy_async(tile() + i, from + i, 4);
                    __pipeline_commit();
                  }
                  __pipeline_memcpy_async(tile() + 3, from + 3, 4);  // of no batch yet
                  __pipeline_wait_prior(1);
                  for (int i = 0; i < 4; ++i) to[i] = tile()[i];
                  __pipeline_wait_prior(0);
                  for (int i = 0; i < 4; ++i) to[4 + i] = tile()[i];
                }),
            cudaSuccess);
  EXPECT_EQ(out.values(), (std::vector<int>{1, 2, -1, -1, 1, 2, 3, -1}));
}

TEST(Pipeline, TheRestIsZero) {
  const Buffer<int> in(counted(2)), out(4);
  EXPECT_EQ(run(1, 1,
                [from = static_cast<int*>(in), to = static_cast<int*>(out)] {
                  __pipeline_memcpy_async(tile(), from, 16, 8);  // the source has no more than 8 bytes
                  __pipeline_commit();
                  __pipeline_wait_prior(0);
                  for (int i = 0; i < 4; ++i) to[i] = tile()[i];
                }),
            cudaSuccess);
  EXPECT_EQ(out.values(), (std::vector<int>{1, 2, 0, 0}));
}

/// Thread 0 copies; thread 1 reads the word after `before_reading`.
template <class Wait>
std::vector<lab_diagnostic> copy_and_read(const Wait& before_reading) {
  const Buffer<int> in(counted(4)), out(1);
  EXPECT_EQ(run(1, 2,
                [&, from = static_cast<int*>(in), to = static_cast<int*>(out)] {
                  if (threadIdx.x == 0) {
                    __pipeline_memcpy_async(tile(), from, 4);
                    __pipeline_commit();
                  }
                  before_reading();
                  if (threadIdx.x == 1) store(to, load(tile()));
                }),
            cudaSuccess);
  return mistakes();
}

TEST(PipelineDiagnostics, ReadBeforeTheWait) {
  EXPECT_EQ(kinds(copy_and_read([] {
              __pipeline_wait_prior(0);
              __syncthreads();
            })),
            Kinds{});
  // The barrier is there, the wait is not.
  EXPECT_EQ(kinds(copy_and_read([] { __syncthreads(); })), Kinds{lab_copy_pending});
  // The wait is there, but for an older batch.
  EXPECT_EQ(kinds(copy_and_read([] {
              __pipeline_wait_prior(1);
              __syncthreads();
            })),
            Kinds{lab_copy_pending});
  // The wait is there, the barrier is not.
  EXPECT_EQ(kinds(copy_and_read([] { __pipeline_wait_prior(0); })), Kinds{lab_race_shared});
}

TEST(PipelineDiagnostics, CopiesOfABarrierArePendingUntilAThreadWaits) {
  const auto copy_and_wait = [](int phase_to_wait_for) {
    const Buffer<int> in(counted(4)), out(1);
    EXPECT_EQ(run(1, 2,
                  [=, from = static_cast<int*>(in), to = static_cast<int*>(out)] {
                    static const BarrierState barrier = {2, 2, 5};
                    if (threadIdx.x == 0) {
                      __pipeline_memcpy_async(tile(), from, 4);
                      lab_barrier_copies(&barrier, 0);
                      __pipeline_commit();
                      __pipeline_wait_prior(0);  // waits for no copy of the barrier
                    } else {
                      lab_yield();
                      lab_barrier_complete(&barrier, 5);
                      if (phase_to_wait_for) lab_barrier_waited(&barrier, static_cast<unsigned>(phase_to_wait_for));
                    }
                    __syncthreads();
                    if (threadIdx.x == 1) store(to, load(tile()));
                  }),
              cudaSuccess);
    return kinds(mistakes());
  };
  EXPECT_EQ(copy_and_wait(5), Kinds{});
  EXPECT_EQ(copy_and_wait(0), Kinds{lab_copy_pending});  // nobody waits
  EXPECT_EQ(copy_and_wait(4), Kinds{lab_copy_pending});  // for the phase before
}

TEST(PipelineDiagnostics, WhatIsLeftPendingDoesNotReachTheNextBlock) {
  const Buffer<int> in(counted(4)), out(1);
  EXPECT_EQ(run(2, 1,
                [from = static_cast<int*>(in), to = static_cast<int*>(out)] {
                  if (blockIdx.x == 0) {
                    __pipeline_memcpy_async(tile(), from, 4);
                    __pipeline_commit();
                  } else {
                    store(tile(), 7);
                    store(to, load(tile()));
                    __pipeline_wait_prior(0);
                  }
                }),
            cudaSuccess);
  EXPECT_EQ(out.values(), std::vector<int>{7});
  EXPECT_EQ(kinds(mistakes()), Kinds{});
}

/// What a copy of `bytes` from `from` leaves behind.
lab_diagnostic refused(size_t to_byte, const void* from, size_t bytes, cudaError_t error) {
  EXPECT_EQ(run(1, 1,
                [=] {
                  __pipeline_memcpy_async(reinterpret_cast<char*>(tile()) + to_byte, from, bytes);
                  ADD_FAILURE() << "the thread went on";
                }),
            error);
  const auto found = mistakes();
  EXPECT_EQ(found.size(), 1u);
  return found.empty() ? lab_diagnostic{} : found[0];
}

TEST(Pipeline, MisalignedSourceIsFound) {
  const Buffer<int> in(counted(8));
  const lab_diagnostic f = refused(0, in + 1, 16, cudaErrorMisalignedAddress);
  EXPECT_EQ(f.kind, static_cast<uint32_t>(lab_misaligned));
  EXPECT_EQ(f.offset, 4);
  EXPECT_EQ(f.bytes, 16u);
}
TEST(Pipeline, MisalignedTargetIsFound) {
  const Buffer<int> in(counted(8));
  EXPECT_EQ(refused(4, in, 8, cudaErrorMisalignedAddress).kind, static_cast<uint32_t>(lab_misaligned));
}
TEST(Pipeline, OtherSizesAreATrap) {
  const Buffer<int> in(counted(8));
  EXPECT_EQ(refused(0, in, 12, cudaErrorLaunchFailure).kind, static_cast<uint32_t>(lab_trap));
}
TEST(PipelineDiagnostics, SourceBeyondItsBufferIsFound) {
  const Buffer<int> in(counted(8));
  const lab_diagnostic f = refused(0, in + 8, 16, cudaErrorIllegalAddress);
  EXPECT_EQ(f.kind, static_cast<uint32_t>(lab_out_of_bounds));
  EXPECT_EQ(f.offset, 32);
  EXPECT_EQ(f.extent, 32);
}
TEST(PipelineDiagnostics, TargetBeyondItsVariableIsFound) {
  const Buffer<int> in(counted(8));
  EXPECT_EQ(refused(sizeof(Tile), in, 16, cudaErrorIllegalAddress).kind,
            static_cast<uint32_t>(lab_shared_bounds));
}

TEST(SharedMemory, AnOverrunIsToldOfTheNearestArray) {
  EXPECT_EQ(run(
                1, 1,
                [] {
                  static const int tag = 0;
                  store(&shared<float[64]>(&tag)[0], 1.0f);
                  store(static_cast<float*>(dynamic_shared()) + 17, 1.0f);
                },
                64),
            cudaErrorIllegalAddress);
  const auto found = mistakes();
  ASSERT_EQ(kinds(found), Kinds{lab_shared_bounds});
  EXPECT_EQ(found[0].offset, 68);
  EXPECT_EQ(found[0].extent, 64);
}

}  // namespace
}  // namespace lab::emulated
