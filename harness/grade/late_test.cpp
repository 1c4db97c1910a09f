#include "harness/grade/late.h"

#include <gtest/gtest.h>

namespace harness {
namespace {

constexpr double hour = 3600, day = 24 * hour;

LatePolicy policy() {
  LatePolicy p;
  p.grace_s = hour / 4;
  p.per_day = 0.1;
  p.cut_off_s = 3 * day;
  return p;
}

TEST(Late, EachStartedDayCosts) {
  struct Example {
    double late_s, factor;
    const char* why;
  };
  for (const Example& e : {Example{-5 * day, 1, ""}, Example{hour / 4, 1, ""},
                           Example{hour / 2, 0.9, "handed in 30 min 0 s after the deadline"},
                           Example{2.5 * day, 0.7, "handed in 60 h after the deadline"},
                           Example{3 * day + 1, 0, "handed in 72 h 1 min after the deadline, more than 72 h: no points"}}) {
    const Lateness late = lateness(policy(), e.late_s);
    EXPECT_DOUBLE_EQ(late.factor, e.factor) << e.late_s;
    EXPECT_EQ(late.why, e.why) << e.late_s;
  }
}

TEST(Late, CostsNeverMoreThanAllPoints) {
  LatePolicy p = policy();
  p.cut_off_s.reset();
  EXPECT_EQ(lateness(p, 30 * day).factor, 0);
}

}  // namespace
}  // namespace harness
