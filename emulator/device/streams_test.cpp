// Work on a side stream has to be waited for.
#include "emulator/device/streams.h"

#include <gtest/gtest.h>

#include "emulator/device/testing.h"

namespace lab::emulated {
namespace {

class Streams : public ::testing::Test {
 protected:
  Streams() {
    cudaStreamCreate(&call);
    cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);
    cudaEventCreate(&event);
  }
  void work(cudaStream_t stream) {
    launch(Site{"kernel"}, Configuration(1, 1, 0, stream), [] {});
  }
  Kinds unordered() {
    report_unordered_work(call);
    return kinds(mistakes());
  }
  cudaStream_t call = nullptr, side = nullptr;
  cudaEvent_t event = nullptr;
};

TEST_F(Streams, NobodyWaits) {
  work(side);
  EXPECT_EQ(unordered(), Kinds{lab_side_stream});
  EXPECT_EQ(unordered(), Kinds{});
}
TEST_F(Streams, TheStreamOfTheCallAndTheDefaultStream) {
  work(call);
  work(nullptr);
  EXPECT_EQ(unordered(), Kinds{});
}
TEST_F(Streams, TheHostWaits) {
  work(side);
  cudaStreamSynchronize(side);
  EXPECT_EQ(unordered(), Kinds{});
  work(side);
  cudaDeviceSynchronize();
  EXPECT_EQ(unordered(), Kinds{});
}
TEST_F(Streams, FreeingInAStreamDoesNotWait) {
  int* p = nullptr;
  cudaMalloc(&p, 4);
  work(side);
  cudaFreeAsync(p, side);
  EXPECT_EQ(unordered(), Kinds{lab_side_stream});
  cudaMalloc(&p, 4);
  work(side);
  cudaFree(p);
  EXPECT_EQ(unordered(), Kinds{});
}
__device__ int symbol[2];

TEST_F(Streams, ACopyToAVariableRunsInItsStream) {
  const int values[2] = {1, 2};
  EXPECT_EQ(cudaMemcpyToSymbolAsync(symbol, values, 8, 0, cudaMemcpyHostToDevice, side), cudaSuccess);
  EXPECT_EQ(unordered(), Kinds{lab_side_stream});
  EXPECT_EQ(cudaMemcpyToSymbol(symbol, values, 8), cudaSuccess);
  EXPECT_EQ(unordered(), Kinds{});
  int back[2];
  EXPECT_EQ(cudaMemcpyFromSymbolAsync(back, symbol, 8, 0, cudaMemcpyDeviceToHost, side), cudaSuccess);
  cudaStreamSynchronize(side);
  EXPECT_EQ(unordered(), Kinds{});
  EXPECT_EQ(back[1], 2);
}
TEST_F(Streams, ACopyBetweenDevicesRunsInItsStream) {
  const Buffer<int> from(std::vector<int>{1}), to(std::vector<int>{0});
  cudaDeviceSynchronize();
  EXPECT_EQ(unordered(), Kinds{});
  cudaMemcpyPeerAsync(to, 0, from, 0, 4, side);
  EXPECT_EQ(unordered(), Kinds{lab_side_stream});
}
TEST_F(Streams, AnEventOrdersWhatWasBeforeIt) {
  work(side);
  cudaEventRecord(event, side);
  cudaStreamWaitEvent(call, event, 0);
  EXPECT_EQ(unordered(), Kinds{});
  work(side);
  cudaEventRecord(event, side);
  work(side);
  cudaStreamWaitEvent(call, event, 0);
  EXPECT_EQ(unordered(), Kinds{lab_side_stream});
}
TEST_F(Streams, AnOrdinaryStreamIsWaitedForByTheDefaultStream) {
  cudaStream_t ordinary;
  cudaStreamCreate(&ordinary);
  work(ordinary);
  EXPECT_EQ(unordered(), Kinds{lab_side_stream});
  work(ordinary);
  work(nullptr);
  EXPECT_EQ(unordered(), Kinds{});
}
TEST_F(Streams, OneThatDoesNotExistIsRefused) {
  cudaStream_t gone = side;
  EXPECT_EQ(cudaStreamDestroy(side), cudaSuccess);
  work(gone);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidResourceHandle);
  for (const cudaError_t error : {cudaStreamDestroy(gone), cudaStreamSynchronize(gone), cudaEventRecord(event, gone),
                                  cudaStreamWaitEvent(gone, event, 0), cudaMemsetAsync(Buffer<int>(1), 0, 4, gone),
                                  cudaMemcpyFromSymbolAsync(&gone, symbol, 4, 0, cudaMemcpyDeviceToHost, gone),
                                  cudaFreeAsync(nullptr, gone)})
    EXPECT_EQ(error, cudaErrorInvalidResourceHandle);
  const auto found = mistakes();
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(std::string(found[0].detail), "this stream was never created, or is destroyed");
}
TEST_F(Streams, AnEventThatDoesNotExistIsRefused) {
  cudaEvent_t gone = event;
  EXPECT_EQ(cudaEventDestroy(event), cudaSuccess);
  for (const cudaError_t error : {cudaEventDestroy(gone), cudaEventRecord(gone, call), cudaStreamWaitEvent(call, gone, 0),
                                  cudaEventSynchronize(nullptr)})
    EXPECT_EQ(error, cudaErrorInvalidResourceHandle);
  float ms;
  cudaEventCreate(&event);
  EXPECT_EQ(cudaEventElapsedTime(&ms, event, event), cudaErrorInvalidResourceHandle) << "never recorded";
  const auto found = mistakes();
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(std::string(found[0].detail), "this event was never created, or is destroyed");
}

}  // namespace
}  // namespace lab::emulated
