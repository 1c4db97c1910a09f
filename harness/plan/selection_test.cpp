#include <gtest/gtest.h>

#include "harness/plan/plan.h"
#include "harness/kernel/test_kernel.h"

namespace harness {
namespace {

class SelectTest : public ::testing::Test {
 protected:
  SelectTest() {
    for (const char* name : {"cpu_avx", "cpu_blocked"}) {
      VariantInfo info;
      info.name = name;
      info.dtypes = {Dtype::f32};
      variants_.push_back(info);
    }
    variants_[1].macros = {{"BLOCK", "64"}};
  }

  Result<Plan> plan(const Selection& selection) {
    const auto config = parse_config(
        "lab: l\nkernel: gemm\nsweeps:\n"
        "  - {name: sizes, variants: [\"cpu_*\"], axes: {size: [64, 128]}}\n"
        "  - {name: blocks, variants: [cpu_blocked], axes: {size: 128, BLOCK: [8, 16]},\n"
        "     exclude: [{BLOCK: 16, reason: why}], include: [{variant: cpu_blocked, size: 256, BLOCK: "
        "16}]}\n",
        "a.yaml");
    EXPECT_TRUE(config) << config.error().message;
    return make_plan(*config, kernel_, variants_, selection);
  }
  std::string cases(const Selection& selection) {
    const auto made = plan(selection);
    if (!made) return made.error().message;
    std::string all;
    for (const Case& c : made->cases) all += (all.empty() ? "" : " | ") + c.id.substr(2);
    return all;
  }
  ExitCode exit_code(const Selection& selection) {
    const auto made = plan(selection);
    return made ? ExitCode::ok : made.error().exit;
  }

  TestKernel kernel_;
  std::vector<VariantInfo> variants_;
};

TEST_F(SelectTest, NothingAskedForIsEverything) {
  EXPECT_EQ(cases({}),
            "sizes/cpu_avx size=64 | sizes/cpu_blocked size=64 | sizes/cpu_avx size=128 | sizes/cpu_blocked "
            "size=128 | "
            "blocks/cpu_blocked size=128 BLOCK=8 | blocks/cpu_blocked size=256 BLOCK=16");
}

TEST_F(SelectTest, VariantsByGlob) {
  EXPECT_EQ(cases({{"*_avx"}, {}, {}}), "sizes/cpu_avx size=64 | sizes/cpu_avx size=128");
  EXPECT_EQ(plan({{"*_avx"}, {}, {}})->excluded.size(), 0u);
  EXPECT_EQ(plan({{"*_blocked"}, {}, {}})->excluded.size(), 1u);
  EXPECT_EQ(cases({{"x*"}, {}, {}}),
            "nothing selected: --variant \"x*\" matches none of cpu_avx, cpu_blocked");
  EXPECT_EQ(exit_code({{"x*"}, {}, {}}), ExitCode::nothing_selected);
  EXPECT_EQ(cases({{"cpu_avy"}, {}, {}}),
            "nothing selected: --variant \"cpu_avy\" matches none of cpu_avx, cpu_blocked (did you mean "
            "\"cpu_avx\"?)");
  EXPECT_EQ(cases({{"cpu_avx", "x*"}, {}, {}}), "--variant \"x*\" matches none of cpu_avx, cpu_blocked");
  EXPECT_EQ(exit_code({{"cpu_avx", "x*"}, {}, {}}), ExitCode::usage);
}

TEST_F(SelectTest, SweepsByName) {
  EXPECT_EQ(cases({{}, {"blocks"}, {}}),
            "blocks/cpu_blocked size=128 BLOCK=8 | blocks/cpu_blocked size=256 BLOCK=16");
  EXPECT_EQ(plan({{}, {"sizes"}, {}})->excluded.size(), 0u);
  EXPECT_EQ(cases({{}, {"block"}, {}}), "--sweep: unknown sweep \"block\" (did you mean \"blocks\"?)");
  EXPECT_EQ(exit_code({{}, {"block"}, {}}), ExitCode::usage);
  EXPECT_EQ(cases({{}, {"everything"}, {}}),
            "--sweep: unknown sweep \"everything\"; there are sizes, blocks");
  EXPECT_EQ(cases({{"cpu_avx"}, {"blocks"}, {}}),
            "nothing selected: --variant \"cpu_avx\" matches none of cpu_blocked");
}

TEST_F(SelectTest, SetKeepsThePointsThatHaveTheValue) {
  EXPECT_EQ(cases({{"cpu_blocked"}, {}, {{"size", "128"}}}),
            "sizes/cpu_blocked size=128 | blocks/cpu_blocked size=128 BLOCK=8");
  EXPECT_EQ(cases({{}, {"blocks"}, {{"BLOCK", "16"}}}), "blocks/cpu_blocked size=256 BLOCK=16");
  EXPECT_EQ(plan({{}, {"blocks"}, {{"BLOCK", "16"}}})->excluded.size(), 1u);
  EXPECT_EQ(plan({{}, {"blocks"}, {{"BLOCK", "8"}}})->excluded.size(), 0u);
}

TEST_F(SelectTest, SetOverridesWhereNoPointHasTheValue) {
  EXPECT_EQ(cases({{}, {"sizes"}, {{"size", "32"}}}), "sizes/cpu_avx size=32 | sizes/cpu_blocked size=32");
  EXPECT_EQ(cases({{}, {"blocks"}, {{"size", "32"}, {"BLOCK", "4"}}}), "blocks/cpu_blocked size=32 BLOCK=4");
  EXPECT_EQ(plan({{}, {"blocks"}, {{"size", "32"}}})->cases.at(0).problem->label(), "size=32");
}

TEST_F(SelectTest, SetAddsWhatTheSweepDoesNotVary) {
  EXPECT_EQ(cases({{"cpu_avx"}, {}, {{"beta", "0.5"}, {"size", "64"}}}), "sizes/cpu_avx size=64 beta=0.5");
  EXPECT_EQ(cases({{}, {"sizes"}, {{"BLOCK", "16"}, {"size", "64"}}}),
            "sizes/cpu_avx size=64 | sizes/cpu_blocked size=64 BLOCK=16")
      << "a macro only where the source has it";
  EXPECT_EQ(plan({{"cpu_avx"}, {}, {{"threads", "2"}}})->cases.at(0).threads, 2);
}

TEST_F(SelectTest, SetOfWhatCannotBeSet) {
  EXPECT_EQ(cases({{}, {}, {{"siez", "64"}}}),
            "--set siez=64: unknown axis \"siez\" (did you mean \"size\"?)");
  EXPECT_EQ(cases({{}, {}, {{"BLOK", "64"}}}),
            "--set BLOK=64: no selected variant has a macro \"BLOK\" (did you mean \"BLOCK\"?)");
  EXPECT_EQ(cases({{}, {}, {{"threads", "many"}}}),
            "--set threads=many: \"threads\" must be a whole number from 1 to 4096, not \"many\"");
  EXPECT_EQ(cases({{"cpu_avx"}, {}, {{"size", "-3"}}}),
            "--set size=-3: sweep \"sizes\", size=-3: size must be at least 1, not -3");
}

}  // namespace
}  // namespace harness
