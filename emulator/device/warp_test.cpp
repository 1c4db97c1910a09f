// Functions of a warp on 32 lanes and, where ctest says so, on 64.
#include <gtest/gtest.h>

#include <functional>

#include "emulator/device/testing.h"

namespace lab::emulated {
namespace {

constexpr unsigned everyone = ~0u;

int lanes() { return options().lanes; }

/// What each lane of one warp computes.
template <class T, class F>
std::vector<T> of_each_lane(F f, int threads = lanes()) {
  const Buffer<T> out(static_cast<size_t>(threads));
  EXPECT_EQ(run(1, static_cast<unsigned>(threads),
                [=, to = static_cast<T*>(out)] { to[threadIdx.x] = f(static_cast<int>(threadIdx.x)); }),
            cudaSuccess);
  return out.values();
}
template <class T>
std::vector<T> expected(const std::function<T(int)>& f, int threads = lanes()) {
  std::vector<T> out;
  for (int lane = 0; lane < threads; ++lane) out.push_back(f(lane));
  return out;
}

TEST(Warp, WidthIsWhatWasAskedFor) {
  EXPECT_EQ(of_each_lane<int>([](int) { return warpSize; }), expected<int>([](int) { return lanes(); }));
}

TEST(Warp, ShufflesOfEveryKindAndWidth) {
  for (int width = 1; width <= lanes(); width *= 2)
    for (const int by : {0, 1, 3, 7, 16, 31}) {
      const auto segment = [=](int lane) { return lane / width * width; };
      EXPECT_EQ(of_each_lane<int>([=](int l) { return __shfl_sync(everyone, 100 + l, by, width); }),
                expected<int>([=](int l) { return 100 + segment(l) + by % width; }))
          << "index " << by << " of " << width;
      EXPECT_EQ(of_each_lane<int>([=](int l) {
                  return __shfl_up_sync(everyone, 100 + l, static_cast<unsigned>(by), width);
                }),
                expected<int>([=](int l) { return 100 + (l - by < segment(l) ? l : l - by); }))
          << "up " << by << " of " << width;
      EXPECT_EQ(of_each_lane<int>([=](int l) {
                  return __shfl_down_sync(everyone, 100 + l, static_cast<unsigned>(by), width);
                }),
                expected<int>([=](int l) { return 100 + (l + by >= segment(l) + width ? l : l + by); }))
          << "down " << by << " of " << width;
      EXPECT_EQ(of_each_lane<int>([=](int l) { return __shfl_xor_sync(everyone, 100 + l, by, width); }),
                expected<int>([=](int l) { return 100 + ((l ^ by) >= segment(l) + width ? l : l ^ by); }))
          << "xor " << by << " of " << width;
    }
  EXPECT_EQ(kinds(mistakes()), Kinds{});
}

TEST(Warp, ValuesOfEightBytes) {
  EXPECT_EQ(of_each_lane<double>([](int l) { return __shfl_down_sync(everyone, 0.5 + l, 1); }),
            expected<double>([](int l) { return 0.5 + (l + 1 < lanes() ? l + 1 : l); }));
  EXPECT_EQ(of_each_lane<long long>([](int l) { return __shfl_sync(everyone, (1ll << 40) + l, 5); }),
            expected<long long>([](int) { return (1ll << 40) + 5; }));
}

TEST(Warp, VectorsInATile) {
  EXPECT_EQ(of_each_lane<unsigned>([](int l) {
              const auto lane = static_cast<unsigned>(l);
              const uint4 got =
                  ::lab::emulated::shuffle(lab_shuffle_index, ::lab::emulated::lanes_of(everyone),
                                           uint4{lane, 2 * lane, 3 * lane, 4 * lane}, 5, 32);
              return got.x + 1000 * got.w;
            }),
            expected<unsigned>([](int l) { return static_cast<unsigned>(4001 * (l / 32 * 32 + 5)); }));
}

TEST(Warp, Votes) {
  EXPECT_EQ(
      of_each_lane<int>([](int l) { return __all_sync(everyone, l >= 0) * 2 + __all_sync(everyone, l > 0); }),
      expected<int>([](int) { return 2; }));
  EXPECT_EQ(
      of_each_lane<int>([](int l) { return __any_sync(everyone, l == 9) * 2 + __any_sync(everyone, l < 0); }),
      expected<int>([](int) { return 2; }));
  EXPECT_EQ(of_each_lane<unsigned>([](int l) { return __ballot_sync(everyone, l % 3 == 0); }),
            expected<unsigned>([](int) { return 0x49249249u; }));
}

TEST(Warp, Matches) {
  EXPECT_EQ(of_each_lane<unsigned>([](int l) { return __match_any_sync(everyone, l % 2); }),
            expected<unsigned>([](int l) { return l % 2 ? 0xaaaaaaaau : 0x55555555u; }));
  EXPECT_EQ(of_each_lane<int>([](int l) {
              int same = 0, other = 0;
              __match_all_sync(everyone, 3, &same);
              __match_all_sync(everyone, l, &other);
              return same * 2 + other;
            }),
            expected<int>([](int) { return 2; }));
}

TEST(Warp, Reductions) {
  const int n = lanes();
  EXPECT_EQ(of_each_lane<int>([](int l) { return __reduce_add_sync(everyone, l - 10); }),
            expected<int>([=](int) { return n * (n - 1) / 2 - 10 * n; }));
  EXPECT_EQ(of_each_lane<int>([](int l) { return __reduce_min_sync(everyone, 5 - l); }),
            expected<int>([=](int) { return 6 - n; }));
  EXPECT_EQ(of_each_lane<int>([](int l) { return __reduce_max_sync(everyone, -5 - l); }),
            expected<int>([](int) { return -5; }));
  EXPECT_EQ(of_each_lane<unsigned>([](int l) {
              return __reduce_max_sync(everyone,
                                       static_cast<unsigned>(5 - l));  // it begins again at 2^32 - 1
            }),
            expected<unsigned>([](int) { return ~0u; }));
  EXPECT_EQ(of_each_lane<unsigned>([](int l) { return __reduce_xor_sync(everyone, 1u << l % 32); }),
            expected<unsigned>([=](int) { return n == 32 ? ~0u : 0u; }));
  EXPECT_EQ(of_each_lane<unsigned>([](int l) { return __reduce_and_sync(everyone, ~(1u << l % 8)); }),
            expected<unsigned>([](int) { return ~0xffu; }));
}

TEST(Warp, PartOfAWarp) {
  // A block that ends inside its last warp, and a mask of some lanes.
  EXPECT_EQ(of_each_lane<int>([](int) { return __reduce_add_sync(everyone, 1); }, lanes() + 5),
            expected<int>([](int t) { return t < lanes() ? lanes() : 5; }, lanes() + 5));
  EXPECT_EQ(of_each_lane<int>([](int l) { return l < 8 ? __reduce_add_sync(0xffu, l) : -1; }),
            expected<int>([](int l) { return l < 8 ? 28 : -1; }));
  EXPECT_EQ(kinds(mistakes()), Kinds{});
}

TEST(Warp, LanesThatMeetSeveralTimes) {
  EXPECT_EQ(of_each_lane<int>([](int l) {
              int sum = l;
              for (int by = lanes() / 2; by > 0; by /= 2) sum += __shfl_xor_sync(everyone, sum, by);
              __syncwarp();
              return sum;
            }),
            expected<int>([](int) { return lanes() * (lanes() - 1) / 2; }));
}

TEST(WarpDiagnostics, LanesThatNeverComeAreFound) {
  of_each_lane<int>([](int l) {
    const int value = l < 16 ? __shfl_sync(everyone, l, 0) : 0;
    __syncthreads();
    return value;
  });
  const auto found = mistakes();
  ASSERT_EQ(kinds(found), Kinds{lab_lanes_missing});
  EXPECT_EQ(found[0].origin.thread[0], 0u);
  EXPECT_EQ(found[0].other.thread[0], 16u);
}

TEST(WarpDiagnostics, ALaneThatItsMaskDoesNotNameIsFound) {
  EXPECT_EQ(of_each_lane<int>([](int l) {
              __syncwarp(0xffffu);
              return __shfl_sync(0xffffu, l, 3);
            }),
            expected<int>([](int l) { return l < 16 ? 3 : l; }));
  const auto found = mistakes();
  ASSERT_FALSE(found.empty());
  for (const auto& f : found) EXPECT_EQ(f.kind, static_cast<uint32_t>(lab_lane_not_in_mask));
  EXPECT_EQ(found[0].origin.thread[0], 16u);
}

TEST(WarpDiagnostics, ShuffleFromAnAbsentLaneIsFound) {
  of_each_lane<int>([](int l) { return l < 4 ? __shfl_sync(0xfu, l, 8) : 0; });
  const auto found = mistakes();
  ASSERT_EQ(kinds(found), Kinds{lab_shuffle_range});
  EXPECT_EQ(found[0].count, 4);
  EXPECT_EQ(found[0].offset, 8);
}

}  // namespace
}  // namespace lab::emulated
