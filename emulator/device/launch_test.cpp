#include "emulator/device/launch.h"

#include <gtest/gtest.h>

#include <numeric>

#include "emulator/device/testing.h"

namespace lab::emulated {
namespace {

void nothing() {}

TEST(Blocks, EachThreadRunsOnce) {
  const dim3 grid(3, 2, 2), block(5, 3, 2);
  const Buffer<int> out(std::vector<int>(3 * 2 * 2 * 5 * 3 * 2));
  EXPECT_EQ(run(grid, block,
                [to = static_cast<int*>(out)] {
                  const unsigned b = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
                  const unsigned t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
                  to[b * 30 + t] += static_cast<int>(b * 30 + t) + 1;
                }),
            cudaSuccess);
  std::vector<int> want(360);
  std::iota(want.begin(), want.end(), 1);
  EXPECT_EQ(out.values(), want);
}

TEST(Blocks, LaunchesBeyondTheLimitsAreRefused) {
  const auto launched = [](dim3 grid, dim3 block, size_t bytes = 0) {
    return run(grid, block, nothing, bytes);
  };
  EXPECT_EQ(launched(1, 1024), cudaSuccess);
  EXPECT_EQ(launched(1, 1025), cudaErrorInvalidValue);
  EXPECT_EQ(launched(1, dim3(32, 32, 1)), cudaSuccess);
  EXPECT_EQ(launched(1, dim3(32, 32, 2)), cudaErrorInvalidValue);
  EXPECT_EQ(launched(1, dim3(1, 1, 64)), cudaSuccess);
  EXPECT_EQ(launched(1, dim3(1, 1, 65)), cudaErrorInvalidValue);
  EXPECT_EQ(launched(1, 0), cudaErrorInvalidValue);
  EXPECT_EQ(launched(0, 1), cudaErrorInvalidValue);
  EXPECT_EQ(launched(dim3(1, 65536), 1), cudaErrorInvalidValue);
  EXPECT_EQ(launched(dim3(1, 1, 65536), 1), cudaErrorInvalidValue);
  EXPECT_EQ(launched(static_cast<unsigned>(-1), 1), cudaErrorInvalidValue);
  EXPECT_EQ(launched(1, 1, 48 << 10), cudaSuccess);
  EXPECT_EQ(launched(1, 1, (48 << 10) + 1), cudaErrorInvalidValue);
  // A refused launch is forgotten once it was asked about.
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST(Blocks, MoreSharedMemoryIsOptedIn) {
  EXPECT_EQ(cudaFuncSetAttribute(nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 << 10),
            cudaSuccess);
  EXPECT_EQ(run(1, 1, nothing, 100 << 10), cudaSuccess);
  EXPECT_EQ(cudaFuncSetAttribute(nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, 300 << 10),
            cudaErrorInvalidValue);
}

TEST(Blocks, StaticAndDynamicSharedMemoryHaveOneLimit) {
  using Half = char[32 << 10];
  static const char tag = 0;
  const auto uses_static = [] { store(reinterpret_cast<int*>(&shared<Half>(&tag)), 1); };
  EXPECT_EQ(run(1, 1, uses_static, 16 << 10), cudaSuccess);
  EXPECT_EQ(run(1, 1, uses_static, (16 << 10) + 4), cudaErrorInvalidConfiguration);
  EXPECT_EQ(lost_where(), "kernel kernel: 49156 bytes of static and dynamic shared memory; a block has 49152 (more with "
                          "cudaFuncSetAttribute)");
}

TEST(Blocks, DynamicSharedMemoryIsOfTheBlock) {
  const Buffer<int> out(4);
  EXPECT_EQ(run(
                4, 32,
                [to = static_cast<int*>(out)] {
                  int* words = static_cast<int*>(dynamic_shared());
                  if (threadIdx.x == 0) store(words + 31, static_cast<int>(blockIdx.x));
                  __syncthreads();
                  if (threadIdx.x == 31) store(to + blockIdx.x, load(words + 31));
                },
                32 * sizeof(int)),
            cudaSuccess);
  EXPECT_EQ(out.values(), (std::vector<int>{0, 1, 2, 3}));
}

TEST(LaunchDiagnostics, SharedMemoryOfAnEarlierBlockIsUninitialised) {
  const Buffer<int> out(2);
  EXPECT_EQ(run(
                2, 1,
                [to = static_cast<int*>(out)] {
                  int* words = static_cast<int*>(dynamic_shared());
                  if (blockIdx.x == 0) store(words, 1);
                  store(to + blockIdx.x, load(words));
                },
                sizeof(int)),
            cudaSuccess);
  EXPECT_EQ(kinds(mistakes()), Kinds{lab_uninitialised_shared});
}

TEST(LaunchDiagnostics, ARefusedLaunchIsToldAlsoIfItsErrorWasAskedFor) {
  EXPECT_EQ(run(1, 1025, nothing), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  const auto told = mistakes();
  ASSERT_EQ(kinds(told), Kinds{lab_refused});
  EXPECT_STREQ(told[0].detail, "kernel kernel: a block of 1025 x 1 x 1 threads; a device takes 1024 in all, and 1024 x 1024 x 64 at most");
}

struct Counter {
  int* conversions;
  explicit Counter(int* conversions) : conversions(conversions) {}
  Counter(const Counter&) = delete;
  operator int() const { return ++*conversions; }
};
struct Wrapped {
  int value;
  Wrapped(int value) : value(value) {}
};
int* seen;
void keep(int a, int64_t b, const float* c, Wrapped d, int e = 5) {
  const int t = static_cast<int>(threadIdx.x);
  if (c == nullptr) store(seen + t, a * 1000 + static_cast<int>(b) * 100 + d.value * 10 + e);
}
template <class T>
void keep_any(T a) {
  store(seen, static_cast<int>(sizeof(a)));
}

// As the rewriter writes a launch.
#define LAUNCH(kernel, block)                                                                                         \
  prepare(                                                                                                            \
      Site{"kernel"}, Configuration(1, block), [&](auto name) -> decltype(name.parameters_of(kernel)) { return {}; }, \
      [&](auto... all) { kernel(all...); })

TEST(Blocks, ArgumentsAreConvertedOnceAtTheLaunch) {
  const Buffer<int> out(2);
  seen = static_cast<int*>(out);
  int conversions = 0;
  const Counter counter(&conversions);
  LAUNCH(keep, 2)(counter, 2.5f, Zero(), Zero(), 7);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_EQ(conversions, 1);
  EXPECT_EQ(out.values(), (std::vector<int>{1207, 1207}));
}

TEST(Blocks, ParametersMayHaveDefaultsOrBeUnknown) {
  const Buffer<int> out(1);
  seen = static_cast<int*>(out);
  LAUNCH(keep, 1)(1, 2, nullptr, 3);
  EXPECT_EQ(out.values(), std::vector<int>{1235});
  LAUNCH(keep_any, 1)('a');
  EXPECT_EQ(out.values(), std::vector<int>{1});
  LAUNCH(keep_any<double>, 1)('a');
  EXPECT_EQ(out.values(), std::vector<int>{8});
}

TEST(Blocks, AKernelCannotLaunchAnother) {
  EXPECT_EQ(run(1, 1, [] { launch(Site{"inner"}, Configuration(1, 1), [] {}); }), cudaErrorNotSupported);
}

}  // namespace
}  // namespace lab::emulated
