// Mistakes that end a kernel and make the context of the device unusable.
#include "emulator/device/faults.h"

#include <gtest/gtest.h>

#include "emulator/device/testing.h"

namespace lab::emulated {
namespace {

/// The diagnostic of a kernel that ends with this error.
template <class Kernel>
lab_diagnostic end_of(const Kernel& kernel, cudaError_t error, dim3 block = 4) {
  EXPECT_EQ(run(1, block, kernel), error);
  // Every later call fails and gives the reason.
  EXPECT_EQ(cudaDeviceSynchronize(), error);
  void* p = nullptr;
  EXPECT_EQ(lab_malloc(&p, 4), error);
  EXPECT_EQ(run(1, 1, [] { ADD_FAILURE() << "a kernel ran on a lost device"; }), error);
  const auto found = mistakes();
  EXPECT_EQ(found.size(), 1u);
  return found.empty() ? lab_diagnostic{} : found[0];
}
#define EXPECT_KIND(f, wanted) EXPECT_EQ((f).kind, static_cast<uint32_t>(wanted))

__attribute__((noinline)) int deep(volatile int* top, int depth) {
  volatile char room[256];
  room[0] = static_cast<char>(depth);
  return depth < 0 ? *top : deep(top, depth + 1) + room[0];
}

TEST(Faults, NullPointer) {
  int* volatile null = nullptr;
  const lab_diagnostic f = end_of(
      [&] {
        if (threadIdx.x == 2) null[3] = 1;
      },
      cudaErrorIllegalAddress);
  EXPECT_KIND(f, lab_illegal_address);
  EXPECT_EQ(f.offset, 12);
  EXPECT_EQ(f.origin.thread[0], 2u);
  EXPECT_NE(f.origin.code, 0u);
  EXPECT_STREQ(f.kernel, "kernel");
  EXPECT_EQ(lost_where(), "kernel kernel, block (0,0,0), thread (2,0,0)");
}

TEST(Faults, DivisionByZero) {
  volatile int zero = 0, sink = 0;
  EXPECT_KIND(end_of([&] { sink = 7 / zero; }, cudaErrorLaunchFailure), lab_division);
}

TEST(Faults, Trap) {
  volatile bool always = true;
  EXPECT_KIND(end_of(
                  [&] {
                    if (always) __builtin_trap();
                  },
                  cudaErrorLaunchFailure),
              lab_trap);
}

TEST(Faults, StackOverflow) {
  volatile int top = 0;
  EXPECT_KIND(end_of([&] { top = deep(&top, 1); }, cudaErrorLaunchFailure), lab_stack_overflow);
}

TEST(Faults, PastTheEndOfTheStack) {
  EXPECT_KIND(end_of(
                  [] {
                    volatile char array[16] = {};
                    // Writing there would hit the frames between the array and the end of the stack; reading does not.
                    for (volatile char* p = array;; p += 4096) (void)*p;
                  },
                  cudaErrorLaunchFailure),
              lab_local_bounds);
}

TEST(Faults, FreedMemory) {
  int* p = nullptr;
  ASSERT_EQ(cudaMalloc(&p, 4096), cudaSuccess);
  ASSERT_EQ(cudaFree(p), cudaSuccess);
  EXPECT_KIND(end_of([=] { *static_cast<volatile int*>(p) = 1; }, cudaErrorIllegalAddress),
              lab_illegal_address);
}

TEST(Faults, AccessesThatTheWatchEnds) {
  const Buffer<int> out(4);
  const lab_diagnostic f =
      end_of([to = static_cast<int*>(out)] { store(to + threadIdx.x + 1, 0); }, cudaErrorIllegalAddress);
  EXPECT_KIND(f, lab_out_of_bounds);
  EXPECT_EQ(f.offset, 16);
  EXPECT_EQ(f.extent, 16);
  EXPECT_EQ(f.origin.thread[0], 3u);
}

TEST(Faults, HostMemoryInAKernel) {
  const auto of_host = std::make_unique<int>(1);
  EXPECT_KIND(end_of([p = of_host.get()] { store(p, 2); }, cudaErrorIllegalAddress), lab_host_pointer);
}

TEST(Faults, InputsAreNotWritten) {
  const Buffer<int> in(std::vector<int>(4));
  ASSERT_TRUE(Arena::get().restrict_to(in, 0, 16, false));
  EXPECT_KIND(
      end_of([p = static_cast<int*>(in)] { store(p + threadIdx.x, load(p)); }, cudaErrorIllegalAddress),
      lab_input_written);
}

// With kernel_time_s=0.2 (cmake/Emulator.cmake). Whether the kernel can be ended depends on where it is when
// the time is over.
TEST(Endless, InItsOwnCode) {
  volatile int going = 1;
  const lab_diagnostic f = end_of(
      [&] {
        if (threadIdx.x == 1)
          while (going) {
          }
      },
      cudaErrorLaunchTimeout);
  EXPECT_KIND(f, lab_endless);
  EXPECT_EQ(f.have, 0);
  EXPECT_EQ(f.ideal, 1);
  EXPECT_EQ(f.origin.thread[0], 1u);
  EXPECT_NE(f.origin.code, 0u);
}

TEST(Endless, AfterABlockThatEnded) {
  volatile int going = 1;
  volatile unsigned begun = 0;  // the order of the blocks may be any
  EXPECT_EQ(run(3, 1,
                [&] {
                  begun = begun + 1;
                  while (going && begun > 1) {
                  }
                }),
            cudaErrorLaunchTimeout);
  const auto found = mistakes();
  ASSERT_EQ(kinds(found), (Kinds{lab_endless}));
  EXPECT_EQ(found[0].have, 1);
  EXPECT_EQ(found[0].ideal, 3);
  EXPECT_EQ(found[0].extent, 200);
  EXPECT_GT(found[0].offset, 0);
}

TEST(Endless, AtBarriers) {
  volatile int going = 1;
  EXPECT_KIND(end_of(
                  [&] {
                    while (going) __syncthreads();
                  },
                  cudaErrorLaunchTimeout, 64),
              lab_endless);
}

TEST(Endless, AmongDiagnostics) {
  // Nearly always holds the lock of the diagnostics, which the end of the kernel needs too.
  volatile int going = 1;
  lab_diagnostic f = {};
  f.kind = lab_uninitialised_global;
  EXPECT_EQ(run(1, 1,
                [&] {
                  while (going) Diagnostics::get().add(f, "kernel");
                }),
            cudaErrorLaunchTimeout);
  EXPECT_EQ(kinds(mistakes()), (Kinds{lab_uninitialised_global, lab_endless}));
}

TEST(Endless, InTheCLibrary) {
  volatile int going = 1;
  EXPECT_KIND(end_of(
                  [&] {
                    while (going) std::free(std::malloc(100));
                  },
                  cudaErrorLaunchTimeout, 1),
              lab_endless);
  EXPECT_NE(std::make_unique<std::vector<int>>(100), nullptr);  // the lock of the allocator is free
}

}  // namespace
}  // namespace lab::emulated
