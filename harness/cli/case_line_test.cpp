#include "harness/cli/progress.h"

#include <gtest/gtest.h>

namespace harness {
namespace {

TEST(CaseLine, NoLineOfAVariantsTextIsACommandOfAWorkflow) {
  EXPECT_EQ(below("it printed: a\n::set-output name=result::pass\n  ::error::no\n##[group]x", "    "),
            "    it printed: a\n"
            "    | ::set-output name=result::pass\n"
            "    |   ::error::no\n"
            "    ## [group]x");
  EXPECT_EQ(below("", "  "), "  ");
}

TEST(CaseLine, ReasonAndNotesStandBelow) {
  EXPECT_EQ(
      case_line(
          {{"status", "CRASHED"}, {"id", "lab/x"}, {"reason", "it threw"}, {"notes", {{{"text", "it printed: 1\n2"}}}}}),
      "CRASHED        lab/x\n"
      "               it threw\n"
      "               it printed: 1\n"
      "               2");
}

}  // namespace
}  // namespace harness
