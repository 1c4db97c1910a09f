#include "harness/client/believable.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <memory>

namespace harness {
namespace {

constexpr double no_times[] = {-1, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()};

TEST(BelievableReply, TimesAreNumbersFromZero) {
  protocol::LoadReply load;
  protocol::FetchReply fetch;
  EXPECT_TRUE(believable(load) && believable(fetch));
  for (const double ms : no_times) {
    for (double protocol::LoadReply::*field : {&protocol::LoadReply::alloc_ms, &protocol::LoadReply::in_ms}) {
      load = {};
      load.*field = ms;
      EXPECT_FALSE(believable(load)) << ms;
    }
    fetch.out_ms = ms;
    EXPECT_FALSE(believable(fetch)) << ms;
  }
}

TEST(BelievableReply, SizesAreNotNegative) {
  protocol::LoadReply load;
  load.workspace_bytes = -1;
  EXPECT_FALSE(believable(load));
  load = {};
  load.launch.blocks = -1;
  EXPECT_FALSE(believable(load));
}

TEST(BelievableReply, ABatchHasAtMostTheCallsAskedFor) {
  const auto reply = std::make_unique<protocol::RunReply>();
  for (const int samples : {-1, 0, 5, std::numeric_limits<int>::max()}) {
    reply->samples = samples;
    EXPECT_FALSE(believable(*reply, 4)) << samples;
  }
  reply->samples = LAB_MAX_CALLS + 1;
  EXPECT_FALSE(believable(*reply, LAB_MAX_CALLS + 1));
  reply->samples = 4;
  EXPECT_TRUE(believable(*reply, 4));
  for (const double ms : no_times) {
    reply->call_ms[3] = ms;
    EXPECT_FALSE(believable(*reply, 4)) << ms;
    reply->call_ms[3] = 0;
    reply->first_ms = ms;
    EXPECT_FALSE(believable(*reply, 4)) << ms;
    reply->first_ms = 0;
  }
}

TEST(BelievableReply, LimitsAreNumbersAndTheirErrorEnds) {
  lab_probe_result limits = {1e12, 1e12, 1e12, "none"};
  EXPECT_TRUE(believable(limits));
  for (const double rate : no_times) {
    limits.fma_f64 = rate;
    EXPECT_FALSE(believable(limits)) << rate;
  }
  limits.fma_f64 = 0;
  std::memset(limits.error, 'a', sizeof limits.error);
  EXPECT_FALSE(believable(limits));
}

TEST(BelievableReply, ADeviceHasNamesThatEnd) {
  lab_device_info device = {};
  EXPECT_TRUE(believable(device));
  std::memset(device.uuid, 'a', sizeof device.uuid);
  EXPECT_FALSE(believable(device));
  device = {};
  device.warp_size = -32;
  EXPECT_FALSE(believable(device));
}

class Believable : public testing::Test {
 protected:
  Believable() {
    reply().count = 2;
    for (int i = 0; i < LAB_MAX_DIAGNOSTICS; ++i) {
      reply().diagnostic[i].kind = lab_race_shared;
      std::strcpy(reply().diagnostic[i].kernel, "gemm<16>");
    }
  }
  protocol::DiagnosticsReply& reply() { return *reply_; }
  lab_diagnostic& last() { return reply().diagnostic[1]; }
  bool refused() { return !believable(reply()); }

 private:
  std::unique_ptr<protocol::DiagnosticsReply> reply_ = std::make_unique<protocol::DiagnosticsReply>();
};

TEST_F(Believable, TakesAsManyAsThereAre) {
  for (const int count : {0, 1, LAB_MAX_DIAGNOSTICS}) {
    reply().count = count;
    const auto found = believable(reply());
    ASSERT_TRUE(found);
    ASSERT_EQ(found->size(), static_cast<size_t>(count));
    EXPECT_TRUE(found->empty() || found->back().kernel == std::string("gemm<16>"));
  }
}

TEST_F(Believable, RefusesCountsOutOfRange) {
  for (const int count :
       {-1, LAB_MAX_DIAGNOSTICS + 1, std::numeric_limits<int>::max(), std::numeric_limits<int>::min()}) {
    reply().count = count;
    EXPECT_TRUE(refused()) << count;
  }
}

TEST_F(Believable, RefusesUnknownKinds) {
  for (const uint32_t kind : {0u, uint32_t{lab_after_mistakes}, 63u, uint32_t{lab_after_advice}, ~0u}) {
    last().kind = kind;
    EXPECT_TRUE(refused()) << kind;
  }
  for (const uint32_t kind : {1u, lab_after_mistakes - 1u, 64u, lab_after_advice - 1u}) {
    last().kind = kind;
    EXPECT_FALSE(refused()) << kind;
  }
}

TEST_F(Believable, RefusesNegativeNumbersAndUnknownAccesses) {
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

TEST_F(Believable, TextsEndAndArePlain) {
  std::memset(last().kernel, '\x1b', sizeof last().kernel);
  const auto found = believable(reply());
  ASSERT_TRUE(found);
  EXPECT_EQ(std::string(found->back().kernel), std::string(sizeof last().kernel - 1, '?'));
}

}  // namespace
}  // namespace harness
