#include "harness/cli/progress.h"

#include <gtest/gtest.h>

namespace harness {
namespace {

using nlohmann::json;

TEST(EndLine, CountsHowCasesEnded) {
  EXPECT_EQ(end_line({{"passed", 3}, {"failed", 1}, {"skipped", 2}, {"seconds", 75.0}}),
            "3 passed, 1 failed, 2 skipped in 1 min 15 s");
}

TEST(EndLine, ThoseThatCannotBeRankedAreNotAmongThePassed) {
  EXPECT_EQ(end_line({{"passed", 78},
                      {"unranked", {{"UNSTABLE", 3}, {"THROTTLED", 1}}},
                      {"failed", 0},
                      {"skipped", 0},
                      {"seconds", 2.5}}),
            "78 passed, 1 THROTTLED, 3 UNSTABLE, 0 failed, 0 skipped in 2.5 s");
}

TEST(EndLine, InterruptedAndKnown) {
  EXPECT_EQ(end_line({{"passed", 1},
                      {"failed", 0},
                      {"skipped", 0},
                      {"cancelled", 4},
                      {"reused", 1},
                      {"seconds", 0.25}}),
            "1 passed, 0 failed, 0 skipped, 4 not run: interrupted (1 known from earlier runs) in 250 ms");
}

TEST(BudgetLine, WhereOneCallOfEachCaseTakesLonger) {
  EXPECT_EQ(budget_line({{"budget_s", 120.0}, {"least_s", 173.0}}),
            "a budget of 2 min 0 s is too short here: one call of each case takes 2 min 53 s");
  EXPECT_EQ(budget_line({{"budget_s", 120.0}, {"least_s", 90.0}}), "");
  EXPECT_EQ(budget_line({{"budget_s", 0.0}, {"least_s", 90.0}}), "");
}

}  // namespace
}  // namespace harness
