#include "harness/client/believable.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <memory>

namespace harness {
namespace {

class Believable : public testing::Test {
 protected:
  Believable() {
    reply().count = 2;
    for (int i = 0; i < LAB_MAX_FINDINGS; ++i) {
      reply().finding[i].kind = lab_race_shared;
      std::strcpy(reply().finding[i].kernel, "gemm<16>");
    }
  }
  protocol::FindingsReply& reply() { return *reply_; }
  lab_finding& last() { return reply().finding[1]; }
  bool refused() { return !believable(reply()); }

 private:
  std::unique_ptr<protocol::FindingsReply> reply_ = std::make_unique<protocol::FindingsReply>();
};

TEST_F(Believable, TakesAsManyAsThereAre) {
  for (const int count : {0, 1, LAB_MAX_FINDINGS}) {
    reply().count = count;
    const auto found = believable(reply());
    ASSERT_TRUE(found);
    ASSERT_EQ(found->size(), static_cast<size_t>(count));
    EXPECT_TRUE(found->empty() || found->back().kernel == std::string("gemm<16>"));
  }
}

TEST_F(Believable, RefusesCountsOutOfRange) {
  for (const int count :
       {-1, LAB_MAX_FINDINGS + 1, std::numeric_limits<int>::max(), std::numeric_limits<int>::min()}) {
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
  last().place.access = 4;
  EXPECT_TRUE(refused());
  last().place.access = 0;
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
