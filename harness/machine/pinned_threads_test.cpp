#include "harness/machine/pinned_threads.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <atomic>
#include <chrono>
#include <set>
#include <thread>

#include "harness/base/parallel.h"

namespace harness {
namespace {

TEST(PinnedThreads, RunsEveryLapOnEveryThread) {
  std::atomic<int> prepared = 0, laps = 0;
  const auto times = run_pinned({.threads = 3,
                                 .laps = 4,
                                 .prepare = [&](int) { return ++prepared > 0; },
                                 .lap = [&](int, int) { ++laps; }});
  ASSERT_TRUE(times);
  EXPECT_EQ(times->size(), 4u);
  EXPECT_EQ(times->at(0).size(), 3u);
  EXPECT_EQ(prepared, 3);
  EXPECT_EQ(laps, 12);
}

TEST(PinnedThreads, EachThreadHasItsOwnCore) {
  const int n = usable_cores();
  std::vector<int> cores(n, -1);
  ASSERT_TRUE(run_pinned(
      {.threads = n, .laps = 1, .prepare = nullptr, .lap = [&](int t, int) { cores[t] = sched_getcpu(); }}));
  EXPECT_EQ(std::set<int>(cores.begin(), cores.end()).size(), static_cast<size_t>(n));
}

TEST(PinnedThreads, TellsWaitingFromWorking) {
  const auto times = run_pinned({.threads = 1, .laps = 1, .prepare = nullptr, .lap = [](int, int) {
                                   std::this_thread::sleep_for(std::chrono::milliseconds(20));
                                 }});
  ASSERT_TRUE(times);
  EXPECT_GE(times->at(0)[0].wall_s, 0.02);
  EXPECT_LT(times->at(0)[0].cpu_s, 0.01);
}

TEST(PinnedThreads, OneThatCannotPrepareEndsAll) {
  std::atomic<int> laps = 0;
  const auto times = run_pinned(
      {.threads = 2, .laps = 2, .prepare = [](int t) { return t == 0; }, .lap = [&](int, int) { ++laps; }});
  ASSERT_FALSE(times);
  EXPECT_EQ(times.error().message, "cannot prepare all threads: out of memory");
  EXPECT_EQ(laps, 0);
}

}  // namespace
}  // namespace harness
