#include "emulator/device/api.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <functional>

#include "emulator/device/testing.h"

extern "C" void __tsan_read4(void* p);

namespace lab::emulated {
namespace {

TEST(Api, MemoryIsGivenAndTakenBack) {
  void* p = nullptr;
  size_t before = 0, during = 0, after = 0, total = 0;
  EXPECT_EQ(cudaMemGetInfo(&before, &total), cudaSuccess);
  EXPECT_EQ(cudaMalloc(&p, 1000), cudaSuccess);
  EXPECT_EQ(reinterpret_cast<uint64_t>(p) % 256, 0u);
  EXPECT_EQ(cudaMemGetInfo(&during, &total), cudaSuccess);
  EXPECT_EQ(before - during, 1000u);
  EXPECT_EQ(cudaFree(p), cudaSuccess);
  EXPECT_EQ(cudaMemGetInfo(&after, &total), cudaSuccess);
  EXPECT_EQ(after, before);
  EXPECT_EQ(cudaFree(nullptr), cudaSuccess);
  EXPECT_EQ(cudaMalloc(&p, 0), cudaSuccess);
  EXPECT_EQ(p, nullptr);
  // Twice, and somewhere in the middle.
  EXPECT_EQ(cudaMalloc(&p, 1000), cudaSuccess);
  EXPECT_EQ(cudaFree(static_cast<char*>(p) + 256), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(p), cudaSuccess);
  EXPECT_EQ(cudaFree(p), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMalloc(&p, total + 1), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaMalloc(&p, static_cast<size_t>(-4)), cudaErrorMemoryAllocation);
  size_t pitch = 0;
  EXPECT_EQ(cudaMallocPitch(&p, &pitch, static_cast<size_t>(-4), 10), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaMallocPitch(&p, &pitch, 10, size_t{1} << 60), cudaErrorMemoryAllocation);
}

void allocate_again_and_again() {
  rlimit limit;
  limit.rlim_cur = limit.rlim_max = rlim_t{2} << 30;
  setrlimit(RLIMIT_DATA, &limit);
  for (int i = 0; i < 40; ++i) {
    void* p = nullptr;
    if (cudaMalloc(&p, 4 << 20) != cudaSuccess || cudaFree(p) != cudaSuccess) _exit(1);
  }
  _exit(0);
}

TEST(Api, MemoryThatWasTakenBackDoesNotCountTowardsTheLimit) {
  EXPECT_EXIT(allocate_again_and_again(), testing::ExitedWithCode(0), "");
}

TEST(Api, TheLastErrorStaysUntilItIsAskedFor) {
  EXPECT_EQ(cudaSetDevice(1), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaPeekAtLastError(), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_STREQ(cudaGetErrorName(cudaErrorInvalidDevice), "cudaErrorInvalidDevice");
  EXPECT_STREQ(cudaGetErrorString(cudaErrorInvalidDevice), "invalid device ordinal");
}

__device__ float variable[4];

TEST(Api, TheNameOfAVariableIsNoPointer) {
  const Buffer<float> values(std::vector<float>{1, 2, 3, 4});
  EXPECT_EQ(cudaMemcpy(variable, values, 16, cudaMemcpyDeviceToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(error_detail(), "the target of a copy is the name of a __device__ variable, which is no pointer there; use "
                            "cudaMemcpyToSymbol or cudaGetSymbolAddress");
  EXPECT_EQ(cudaMemset(variable, 0, 16), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpyToSymbol(variable, values, 16, 0, cudaMemcpyDeviceToDevice), cudaSuccess);
  EXPECT_EQ(cudaMemcpyToSymbol(variable, values, 4, 16, cudaMemcpyDeviceToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaPeekAtLastError(), cudaErrorInvalidValue);
  EXPECT_EQ(error_detail(), "the copy is larger than the variable");
  void* known = nullptr;
  EXPECT_EQ(cudaGetSymbolAddress(&known, variable), cudaSuccess);
  float of_host = 0;
  EXPECT_EQ(cudaGetSymbolAddress(&known, of_host), cudaErrorInvalidSymbol);
  EXPECT_EQ(cudaMemcpyToSymbol(of_host, values, 4), cudaErrorInvalidSymbol);
  EXPECT_EQ(cudaMemset(known, 0, 16), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(variable, values, 16, cudaMemcpyDeviceToDevice), cudaSuccess) << "from here on it is not told apart";
  EXPECT_EQ(cudaMemcpy(std::vector<float>(4).data(), values, 16, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(error_detail(), "the target of a copy is memory of the host, and the direction says device");
}

TEST(Api, CopiesAreChecked) {
  const Buffer<int> device(std::vector<int>{1, 2, 3, 4});
  std::vector<int> host(4);
  EXPECT_EQ(cudaMemcpy(host.data(), device, 16, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(host, (std::vector<int>{1, 2, 3, 4}));
  EXPECT_EQ(cudaMemcpy(host.data(), device + 2, 8, cudaMemcpyDefault), cudaSuccess);
  EXPECT_EQ(host, (std::vector<int>{3, 4, 3, 4}));
  EXPECT_EQ(cudaMemcpy(device, host.data(), 0, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(device, host.data(), 20, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(device + 3, host.data(), 8, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(device, host.data(), 16, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(device, nullptr, 16, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(device, host.data(), 16, static_cast<cudaMemcpyKind>(7)),
            cudaErrorInvalidMemcpyDirection);
  // An int that became negative.
  EXPECT_EQ(cudaMemcpy(device, host.data(), static_cast<size_t>(-16), cudaMemcpyHostToDevice),
            cudaErrorInvalidValue);
  EXPECT_EQ(context_error(), cudaSuccess);
}

TEST(ApiDiagnostics, ARefusedCopyIsTold) {
  const Buffer<int> device(4);
  EXPECT_EQ(cudaMemcpy(device, nullptr, 16, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  const auto told = mistakes();
  ASSERT_EQ(kinds(told), Kinds{lab_refused});
  EXPECT_STREQ(told[0].detail, "the source of a copy is a null pointer");
}

// The last bytes of a copy may be in a cell of their own.
TEST(ApiDiagnostics, ACopyOnTheDeviceKeepsTheWriterOfItsSource) {
  using Writer = Arena::Writer;
  Arena& arena = Arena::get();
  const Buffer<char> from(32), to(32);
  char* const source = from;
  char* const target = to;
  const auto writer = [&](const char* p) { return static_cast<Writer>(arena.find_cell(p)->write_phase); };
  arena.written(source, 32, Writer::device);
  arena.written(target, 32, Writer::host);
  EXPECT_EQ(cudaMemcpy(target + 2, source, 4, cudaMemcpyDeviceToDevice), cudaSuccess);
  EXPECT_EQ(writer(target), Writer::device);
  EXPECT_EQ(writer(target + 4), Writer::device);
  EXPECT_EQ(writer(target + 8), Writer::host);
  arena.written(source, 32, Writer::input);
  EXPECT_EQ(cudaMemcpy(target + 8, source + 8, 8, cudaMemcpyDeviceToDevice), cudaSuccess);
  EXPECT_TRUE(arena.holds_input(target + 15, 1));
  EXPECT_FALSE(arena.holds_input(target + 16, 16));
}

TEST(ApiDiagnostics, HostCodeMayNotReadACopyOfAnInput) {
  Arena& arena = Arena::get();
  float host[4] = {}, *managed = nullptr;
  ASSERT_EQ(cudaMallocManaged(&managed, sizeof host), cudaSuccess);
  const std::vector<std::function<void()>> ways = {
      [&] { cudaMemcpy(host, managed, sizeof host, cudaMemcpyDeviceToHost); },
      [&] { cudaMemcpy(host, managed, sizeof host, cudaMemcpyHostToHost); },
      [&] { cudaMemcpy(host, managed, sizeof host, cudaMemcpyDefault); },
      [&] { __tsan_read4(managed); },
  };
  for (const auto& [writer, expected] : {std::pair(Arena::Writer::input, Kinds{lab_input_read_back}), {Arena::Writer::device, Kinds{}}})
    for (size_t i = 0; i < ways.size(); ++i) {
      arena.written(managed, sizeof host, writer);
      ways[i]();
      EXPECT_EQ(kinds(mistakes()), expected) << i;
    }
  cudaFree(managed);
}

TEST(Api, RectanglesAreCopiedRowByRow) {
  const Buffer<char> device(std::vector<char>(12, '.'));
  const char host[] = "abcdef";
  EXPECT_EQ(cudaMemcpy2D(device, 4, host, 2, 2, 3, cudaMemcpyHostToDevice), cudaSuccess);
  auto got = device.values();
  EXPECT_EQ(std::string(got.begin(), got.end()), "ab..cd..ef..");
  EXPECT_EQ(cudaMemcpy2D(device, 1, host, 2, 2, 3, cudaMemcpyHostToDevice), cudaErrorInvalidPitchValue);
  EXPECT_EQ(cudaMemcpy2D(device, 4, host, 1, 2, 3, cudaMemcpyHostToDevice), cudaErrorInvalidPitchValue);
  // The last row needs no more than its width.
  EXPECT_EQ(cudaMemcpy2D(device + 2, 4, host, 2, 2, 3, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(cudaMemcpy2D(device + 3, 4, host, 2, 2, 3, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy2D(device, 4, host, 2, 2, size_t{1} << 62, cudaMemcpyHostToDevice),
            cudaErrorInvalidValue);

  EXPECT_EQ(cudaMemset2D(device, 4, '-', 1, 3), cudaSuccess);
  got = device.values();
  EXPECT_EQ(std::string(got.begin(), got.end()), "-bab-dcd-fef");
  EXPECT_EQ(cudaMemset2D(device, 1, '-', 2, 3), cudaErrorInvalidPitchValue);
  EXPECT_EQ(cudaMemset(device, 0, 13), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemset(device, 0, static_cast<size_t>(-1)), cudaErrorInvalidValue);
  char on_host[4];
  EXPECT_EQ(cudaMemset(on_host, 0, 4), cudaErrorInvalidValue);
}

TEST(Api, EventsMeasureOnlyWhatWasRecorded) {
  cudaEvent_t from = nullptr, to = nullptr;
  float ms = -1;
  ASSERT_EQ(cudaEventCreate(&from), cudaSuccess);
  ASSERT_EQ(cudaEventCreate(&to), cudaSuccess);
  EXPECT_EQ(cudaEventRecord(from), cudaSuccess);
  EXPECT_EQ(cudaEventElapsedTime(&ms, from, to), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaEventRecord(to), cudaSuccess);
  EXPECT_EQ(cudaEventElapsedTime(&ms, from, to), cudaSuccess);
  EXPECT_GE(ms, 0);
  EXPECT_EQ(cudaEventRecord(nullptr), cudaErrorInvalidResourceHandle);
  cudaEventDestroy(from);
  cudaEventDestroy(to);
}

}  // namespace
}  // namespace lab::emulated
