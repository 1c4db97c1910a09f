// Blocks that wait for each other, and lanes that find out who is with them.
#include <gtest/gtest.h>

#include "emulator/device/include/cooperative_groups.h"
#include "emulator/device/testing.h"

namespace lab::emulated {
namespace {

template <class Kernel>
cudaError_t run_together(dim3 grid, dim3 block, const Kernel& kernel) {
  Configuration c(grid, block);
  c.is_cooperative = true;
  launch(Site{"kernel"}, c, kernel);
  return cudaGetLastError();
}

TEST(Grid, BlocksMeetAndKeepTheirSharedMemory) {
  static const char tag = 0;
  const Buffer<int> out(std::vector<int>(16, 0));
  int* p = out;
  EXPECT_EQ(run_together(4, 4,
                         [=] {
                           struct Words {
                             int at[4];
                           };
                           Words& mine = shared<Words>(&tag);
                           const unsigned me = blockIdx.x * 4 + threadIdx.x;
                           store(&mine.at[threadIdx.x], static_cast<int>(me));
                           store(p + (15 - me), static_cast<int>(me));
                           cooperative_groups::this_grid().sync();
                           store(p + me, load(p + me) * 100 + load(&mine.at[threadIdx.x]));
                           cooperative_groups::this_grid().sync();
                         }),
            cudaSuccess);
  for (int i = 0; i < 16; ++i) EXPECT_EQ(out.values()[static_cast<size_t>(i)], (15 - i) * 100 + i);
  EXPECT_EQ(kinds(mistakes()), Kinds{});
}

TEST(Grid, AccessesWithoutAMeetingRace) {
  const Buffer<int> out(std::vector<int>(4, 0));
  int* p = out;
  run_together(2, 1, [=] { store(p, static_cast<int>(blockIdx.x)); });
  EXPECT_EQ(kinds(mistakes()), Kinds{lab_race_blocks});
}

// Numbers of two bytes: two of them share a cell of the shadow memory.
TEST(Grid, ThreadsThatUseOtherBytesOfAWordDoNotRace) {
  const Buffer<short> out(std::vector<short>(6, 1));
  short* p = out;
  run(2, 3, [=] {
    short* mine = p + blockIdx.x * 3 + threadIdx.x;  // the blocks share the second word
    store(mine, static_cast<short>(load(mine) + 1));
  });
  EXPECT_EQ(kinds(mistakes()), Kinds{});
  EXPECT_EQ(out.values(), std::vector<short>(6, 2));
  run(1, 2, [=] { store(p + threadIdx.x, static_cast<short>(load(p + 1) + threadIdx.x)); });
  EXPECT_EQ(kinds(mistakes()), Kinds{lab_race_global});
  run(2, 1, [=] { store(p, static_cast<short>(load(p + 1) + blockIdx.x)); });
  EXPECT_EQ(kinds(mistakes()), Kinds{lab_race_blocks});
}

TEST(Grid, AnOrdinaryLaunchCannotMeet) {
  EXPECT_EQ(run(2, 1, [] { cooperative_groups::this_grid().sync(); }), cudaErrorLaunchFailure);
  EXPECT_EQ(kinds(mistakes()), Kinds{lab_grid_launch});
}

TEST(Grid, ABlockThatLeftIsWaitedForInVain) {
  run_together(3, 2, [] {
    if (blockIdx.x == 1) return;
    cooperative_groups::this_grid().sync();
  });
  const auto found = mistakes();
  ASSERT_EQ(kinds(found), Kinds{lab_grid_exited});
  EXPECT_EQ(found[0].origin.block[0], 0u);
  EXPECT_EQ(found[0].other.block[0], 1u);
}

TEST(Grid, KnowsWhetherItCanMeet) {
  const Buffer<int> out(std::vector<int>(2, -1));
  int* p = out;
  run_together(1, 1, [=] { p[0] = cooperative_groups::this_grid().is_valid(); });
  run(1, 1, [=] { p[1] = cooperative_groups::this_grid().is_valid(); });
  EXPECT_EQ(out.values(), (std::vector<int>{1, 0}));
}

TEST(Grid, TheSizeOfATileIsAConstant) {
  static_assert(cooperative_groups::thread_block_tile<8>::size() == 8);
  static_assert(cooperative_groups::thread_block_tile<32>::num_threads() == 32);
}

TEST(Grid, LanesOfABranchFindEachOther) {
  const Buffer<unsigned> out(32);
  unsigned* p = out;
  EXPECT_EQ(run(1, 32, [=] { p[threadIdx.x] = threadIdx.x % 3 == 0 ? __activemask() : 0; }), cudaSuccess);
  for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(out.values()[i], i % 3 == 0 ? 0x49249249u : 0u);
}

}  // namespace
}  // namespace lab::emulated
