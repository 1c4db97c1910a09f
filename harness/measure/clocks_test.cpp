#include "harness/measure/clocks.h"

#include <gtest/gtest.h>

#include <random>

namespace harness {
namespace {

using By = ClockVerdict::By;

constexpr double ghost_ms = 0.004, fresh_ms = 0.0006;  // a batch, a call: as an idle worker was seen to need
const Overhead known{ghost_ms, fresh_ms, 3 * ghost_ms, fresh_ms};

// Batches of a variant whose calls take `call_ms` and which says `said` of them.
struct Story {
  double call_ms = 0.001, said = 1;
  int calls = 1000, batches = 12;
  double waits_ms = 0;      // on a busy machine, up to this between call and answer
  double helps_ms = 0;      // computed beside each call by another thread
  double elsewhere_ms = 0;  // that another process computed of each call
  uint64_t seed = 1;
};

std::vector<ClockedBatch> tell(const Story& s) {
  std::mt19937_64 random(s.seed);
  std::uniform_real_distribution<double> some(0, 1);
  std::vector<ClockedBatch> batches;
  for (int i = 0; i < s.batches; ++i) {
    const double work = s.calls * s.call_ms * (1 + 0.05 * some(random));
    const double beside = known.cpu_ms(s.calls) * (1 + 0.1 * some(random));
    const double elsewhere = s.calls * s.elsewhere_ms;
    batches.push_back({s.calls, s.said * (work + elsewhere),
                       work + elsewhere + beside + known.batch_ms + s.waits_ms * some(random),
                       work + beside + s.calls * s.helps_ms});
  }
  return batches;
}

By verdict(const Story& s, int threads = 1) { return compare_clocks(tell(s), known, threads).by; }

TEST(Clocks, HonestOnesAgree) {
  for (const double call_ms : {0.0001, 0.001, 0.1, 30.0})
    for (uint64_t seed = 1; seed < 50; ++seed) {
      const int calls = std::max(1, static_cast<int>(1 / call_ms));
      EXPECT_EQ(verdict({.call_ms = call_ms, .calls = calls, .seed = seed}), By::none) << call_ms;
      EXPECT_EQ(verdict({.call_ms = call_ms, .calls = 1, .seed = seed}), By::none) << call_ms;
    }
}

TEST(Clocks, ASlowClockIsSeenInKernelsOfMicroseconds) {
  for (const auto& [call_ms, said] : std::vector<std::pair<double, double>>{{0.01, 1 / 1.5},
                                                                            {0.5, 1 / 1.5},
                                                                            {30, 1 / 1.5},
                                                                            {0.005, 0.5},
                                                                            {0.01, 0.5},
                                                                            {30, 0.5},
                                                                            {0.003, 0.01}}) {
    for (uint64_t seed = 1; seed < 20; ++seed) {
      const int calls = std::max(1, static_cast<int>(1 / call_ms / said));
      EXPECT_EQ(verdict({.call_ms = call_ms, .said = said, .calls = calls, .seed = seed}), By::processor)
          << call_ms << " " << said;
    }
  }
}

TEST(Clocks, ABusyMachineAccusesNobodyAndHidesNobody) {
  for (const double waits_ms : {0.5, 5.0, 50.0})
    for (uint64_t seed = 1; seed < 50; ++seed) {
      // Waiting is no processor time. Time alone decides only where it is long: 12 batches of 30 ms.
      EXPECT_NE(verdict({.waits_ms = waits_ms, .seed = seed}), By::processor);
      EXPECT_EQ(verdict({.call_ms = 0.03, .waits_ms = std::min(waits_ms, 20.0), .seed = seed}), By::none);
      EXPECT_EQ(verdict({.call_ms = 0.02, .said = 0.6, .calls = 100, .waits_ms = waits_ms, .seed = seed}),
                By::processor);
    }
}

TEST(Clocks, AThreadThatGoesOnIsSeen) {
  EXPECT_EQ(verdict({.call_ms = 0.002, .said = 0.1, .helps_ms = 0.001}), By::processor);
  // Between calls the others of several threads may spin.
  EXPECT_EQ(verdict({.helps_ms = 0.001}, 2), By::none);
  EXPECT_EQ(verdict({.said = 0.1, .helps_ms = 0.005}, 2), By::processor);
}

TEST(Clocks, AnotherProcessIsSeenByTheTimeThatPasses) {
  EXPECT_EQ(verdict({.call_ms = 0.001, .said = 0.25, .calls = 4000, .elsewhere_ms = 0.01}), By::wall);
}

// A millisecond passes in a batch: less than an honest one may have waited for.
TEST(Clocks, ShortBatchesAreDoubtedOnly) {
  const auto doubted = [](const Story& s) { return doubt_clocks(tell(s), known, 1).by; };
  for (uint64_t seed = 1; seed < 50; ++seed) {
    const Story slow = {.call_ms = 0, .said = 0.25, .calls = 3, .elsewhere_ms = 0.3, .seed = seed};
    EXPECT_EQ(verdict(slow), By::none);
    EXPECT_EQ(doubted(slow), By::wall);
    EXPECT_EQ(doubted({.call_ms = 0.3, .calls = 3, .seed = seed}), By::none);
    EXPECT_EQ(doubted({.call_ms = 0.001, .calls = 500, .seed = seed}), By::none);
  }
}

TEST(Clocks, AQuarterOfBadBatchesAccusesNobody) {
  auto batches = tell({.batches = 12});
  for (size_t i = 0; i < 8; ++i) batches[i].cpu_ms += 100;
  EXPECT_EQ(compare_clocks(batches, known, 1).by, By::none);
  batches[8].cpu_ms += 100;
  batches[9].cpu_ms += 100;
  EXPECT_EQ(compare_clocks(batches, known, 1).by, By::processor);
}

TEST(Clocks, WhatAMachineTakesFromAllAccusesNobody) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> taken_ms(3, 6);
  const auto taken_from = [&](std::vector<ClockedBatch> batches) {
    for (ClockedBatch& b : batches) {
      const double ms = taken_ms(random);
      b.cpu_ms += ms;
      b.outside_ms += ms;
    }
    return batches;
  };
  const auto variant = taken_from(tell({.call_ms = 0.003, .calls = 200, .batches = 40}));
  const auto nothing = taken_from(tell({.call_ms = 0, .calls = 200, .batches = 40}));
  EXPECT_EQ(compare_clocks(variant, known, 1).by, By::processor);
  EXPECT_EQ(compare_clocks(variant, overhead_now(nothing), 1).by, By::none);

  // What is taken from few of them hides no liar.
  auto liar = tell({.call_ms = 0.01, .said = 0.25, .calls = 200, .batches = 40});
  auto beside = tell({.call_ms = 0, .calls = 200, .batches = 40});
  EXPECT_EQ(compare_clocks(liar, overhead_now(beside), 1).by, By::processor);
  for (size_t i = 0; i < 9; ++i) beside[i].cpu_ms += 5;
  EXPECT_EQ(compare_clocks(liar, overhead_now(beside), 1).by, By::processor);
}

TEST(Clocks, MessagesGetTheTimeOfACall) {
  const ClockVerdict v = compare_clocks(tell({.call_ms = 0.01, .said = 0.5, .calls = 200}), known, 1);
  EXPECT_EQ(v.by, By::processor);
  EXPECT_NEAR(v.said_ms, 0.005, 0.0005);
  EXPECT_NEAR(v.seen_ms, 0.01, 0.001);
}

TEST(Clocks, WithoutProcessorTimeTimeDecides) {
  auto batches = tell({.call_ms = 0.03, .said = 0.5});
  for (ClockedBatch& b : batches) b.cpu_ms = 0;
  EXPECT_EQ(compare_clocks(batches, known, 1).by, By::wall);
  EXPECT_EQ(compare_clocks({}, known, 1).by, By::none);
}

// A device that takes 0.05 ms beside each call.
By device_verdict(double call_ms, double said, int calls, double noise_ms = 0) {
  const Overhead beside{0, 0, 0.1, 0.05};
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> some(0, 1);
  std::vector<ClockedBatch> batches;
  for (int i = 0; i < 12; ++i)
    batches.push_back({calls, said * calls * call_ms,
                       calls * call_ms + beside.ms(calls) * (1 + 0.2 * some(random)) + noise_ms * some(random), 0});
  return compare_device_clocks(batches, beside).by;
}

TEST(Clocks, OfADevice) {
  for (const double call_ms : {0.001, 0.05, 1.0, 100.0}) {
    const int calls = std::max(1, static_cast<int>(12 / (call_ms + 0.05)));
    EXPECT_EQ(device_verdict(call_ms, 1, calls), By::none) << call_ms;
    EXPECT_EQ(device_verdict(call_ms, 1, calls, 3), By::none) << call_ms;
  }
  EXPECT_EQ(device_verdict(0.1, 0.01, 80), By::wall);
  EXPECT_EQ(device_verdict(1, 0.5, 12), By::wall);
  EXPECT_EQ(device_verdict(100, 0.5, 1), By::wall);
}

TEST(Clocks, AnOutputThatComesLate) {
  EXPECT_FALSE(comes_late(16.9, 10));
  EXPECT_TRUE(comes_late(17.1, 10));
}

TEST(Clocks, OverheadIsTheQuickestOfEach) {
  const std::vector<ClockedBatch> one = {{1, 0.0001, 0.0141, 0.0051}, {1, 0.0001, 0.0901, 0.0061}};
  const std::vector<ClockedBatch> several = {{101, 0.01, 0.074, 0.065}, {101, 0.01, 0.9, 0.07}};
  const Overhead o = overhead(one, several);
  EXPECT_NEAR(o.call_cpu_ms, 0.055 / 101, 1e-9);
  EXPECT_NEAR(o.batch_cpu_ms, 0.005 - 0.055 / 101, 1e-9);
  EXPECT_NEAR(o.call_ms, 0.064 / 101, 1e-9);
  EXPECT_NEAR(o.batch_ms, 0.014 - 0.064 / 101, 1e-9);
  // Single calls that were all slow make the others no cheaper.
  const Overhead slow = overhead({{1, 0, 0.2, 0.2}}, several);
  EXPECT_EQ(slow.call_ms, o.call_ms);
  EXPECT_EQ(slow.call_cpu_ms, o.call_cpu_ms);
  EXPECT_EQ(overhead({}, {}).cpu_ms(10), 0);
}

}  // namespace
}  // namespace harness
