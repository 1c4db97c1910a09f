#include "harness/client/possible_reply.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <memory>

namespace harness {
namespace {

constexpr double no_times[] = {-1, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()};

TEST(PossibleReply, TimesAreNumbersFromZero) {
  protocol::LoadReply load;
  protocol::RunReply run;
  protocol::FetchReply fetch;
  EXPECT_TRUE(is_possible(load) && is_possible(run) && is_possible(fetch));
  for (const double ms : no_times) {
    for (double protocol::LoadReply::*field : {&protocol::LoadReply::alloc_ms, &protocol::LoadReply::in_ms}) {
      load = {};
      load.*field = ms;
      EXPECT_FALSE(is_possible(load)) << ms;
    }
    for (double protocol::RunReply::*field : {&protocol::RunReply::call_ms, &protocol::RunReply::first_ms}) {
      run = {};
      run.*field = ms;
      EXPECT_FALSE(is_possible(run)) << ms;
    }
    fetch.out_ms = ms;
    EXPECT_FALSE(is_possible(fetch)) << ms;
  }
}

TEST(PossibleReply, SizesAreNotNegative) {
  protocol::LoadReply load;
  load.launch.blocks = -1;
  EXPECT_FALSE(is_possible(load));
}

TEST(PossibleReply, LimitsAreNumbersAndTheirErrorEnds) {
  lab_probe_result limits = {1e12, 1e12, 1e12, "none"};
  EXPECT_TRUE(is_possible(limits));
  for (const double rate : no_times) {
    limits.fma_f64 = rate;
    EXPECT_FALSE(is_possible(limits)) << rate;
  }
  limits.fma_f64 = 0;
  std::memset(limits.error, 'a', sizeof limits.error);
  EXPECT_FALSE(is_possible(limits));
}

TEST(PossibleReply, NumbersOfADeviceAreNotNegative) {
  lab_device_info device = {};
  EXPECT_TRUE(is_possible(device));
  device.warp_size = -32;
  EXPECT_FALSE(is_possible(device));
  device = {};
  device.max_grid[2] = -1;
  EXPECT_FALSE(is_possible(device));
}

class PossibleDiagnostics : public testing::Test {
 protected:
  PossibleDiagnostics() {
    reply().count = 2;
    for (int i = 0; i < LAB_MAX_DIAGNOSTICS; ++i) {
      reply().diagnostic[i].kind = lab_race_shared;
      std::strcpy(reply().diagnostic[i].kernel, "gemm<16>");
    }
  }
  protocol::DiagnosticsReply& reply() { return *reply_; }
  lab_diagnostic& last() { return reply().diagnostic[1]; }
  bool refused() { return !possible_diagnostics(reply()); }

 private:
  std::unique_ptr<protocol::DiagnosticsReply> reply_ = std::make_unique<protocol::DiagnosticsReply>();
};

TEST_F(PossibleDiagnostics, TakesAsManyAsThereAre) {
  for (const int count : {0, 1, LAB_MAX_DIAGNOSTICS}) {
    reply().count = count;
    const auto found = possible_diagnostics(reply());
    ASSERT_TRUE(found);
    ASSERT_EQ(found->size(), static_cast<size_t>(count));
    EXPECT_TRUE(found->empty() || found->back().kernel == std::string("gemm<16>"));
  }
}

TEST_F(PossibleDiagnostics, RefusesCountsOutOfRange) {
  for (const int count :
       {-1, LAB_MAX_DIAGNOSTICS + 1, std::numeric_limits<int>::max(), std::numeric_limits<int>::min()}) {
    reply().count = count;
    EXPECT_TRUE(refused()) << count;
  }
}

TEST_F(PossibleDiagnostics, RefusesUnknownKinds) {
  for (const uint32_t kind : {0u, uint32_t{lab_after_mistakes}, 63u, uint32_t{lab_after_advice}, ~0u}) {
    last().kind = kind;
    EXPECT_TRUE(refused()) << kind;
  }
  for (const uint32_t kind : {1u, lab_after_mistakes - 1u, 64u, lab_after_advice - 1u}) {
    last().kind = kind;
    EXPECT_FALSE(refused()) << kind;
  }
}

TEST_F(PossibleDiagnostics, RefusesNegativeNumbersAndUnknownAccesses) {
  for (int64_t* number : {&last().count, &last().extent, &last().have, &last().ideal}) {
    *number = -1;
    EXPECT_TRUE(refused());
    *number = 0;
  }
  last().offset = -4;  // before the buffer
  EXPECT_FALSE(refused());
  last().origin.access = 4;
  EXPECT_TRUE(refused());
  last().origin.access = 0;
  last().other.access = ~0u;
  EXPECT_TRUE(refused());
}

TEST_F(PossibleDiagnostics, TextsEndAndArePlain) {
  std::memset(last().kernel, '\x1b', sizeof last().kernel);
  const auto found = possible_diagnostics(reply());
  ASSERT_TRUE(found);
  EXPECT_EQ(std::string(found->back().kernel), std::string(sizeof last().kernel - 1, '?'));
}

}  // namespace
}  // namespace harness
