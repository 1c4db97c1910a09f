#include "harness/plan/plan.h"

#include <gtest/gtest.h>

#include "harness/kernel/test_kernel.h"

namespace harness {
namespace {

VariantInfo variant(const std::string& name, std::vector<std::string> macros = {}) {
  VariantInfo info;
  info.name = name;
  info.file = name + ".cu";
  info.gpu = name[0] == 'g';
  info.dtypes = {Dtype::f32, Dtype::f64};
  for (const std::string& macro : macros) info.macros.emplace_back(macro, "32");
  return info;
}

class PlanTest : public ::testing::Test {
 protected:
  /// `sweep`: keys of the one sweep "x". They start on line 6, in column 5.
  static std::string one_sweep(const std::string& sweep) {
    return "lab: lab5\nkernel: gemm\ndtype: f32\nsweeps:\n  - name: x\n" + sweep;
  }

  Result<Plan> plan(const std::string& text, const Selection& selection = {}) {
    auto config = parse_config(text, "a.yaml");
    if (!config) return config.error();
    return make_plan(*config, kernel_, variants_, selection);
  }

  /// All case ids without "lab5/x/", or the error.
  std::string cases(const std::string& text, const Selection& selection = {}) {
    const auto made = plan(text, selection);
    if (!made) return made.error().message;
    std::string all;
    for (const Case& c : made->cases) all += (all.empty() ? "" : " | ") + c.id.substr(c.id.find('/', 5) + 1);
    return all;
  }

  TestKernel kernel_;
  std::vector<VariantInfo> variants_ = {variant("cpu_avx"), variant("cpu_baseline"), variant("gpu_naive", {"BLOCK"}),
                                        variant("gpu_shared", {"BLOCK", "TILE"})};
};

TEST_F(PlanTest, TheLastAxisVariesFastestAndVariantsStandTogether) {
  EXPECT_EQ(cases(one_sweep("    variants: [gpu_shared, gpu_naive]\n    axes: {size: [64, 128], BLOCK: [8, 16]}\n")),
            "gpu_shared size=64 BLOCK=8 | gpu_naive size=64 BLOCK=8 | gpu_shared size=64 BLOCK=16 | "
            "gpu_naive size=64 BLOCK=16 | gpu_shared size=128 BLOCK=8 | gpu_naive size=128 BLOCK=8 | "
            "gpu_shared size=128 BLOCK=16 | gpu_naive size=128 BLOCK=16");
}

TEST_F(PlanTest, GlobsNameEachVariantOnce) {
  EXPECT_EQ(cases(one_sweep("    variants: [gpu_shared, \"gpu_*\", cpu_avx]\n    axes: {size: 64}\n")),
            "gpu_shared size=64 | gpu_naive size=64 | cpu_avx size=64");
}

TEST_F(PlanTest, AxesAreSplitByWhoseTheyAre) {
  const auto made =
      plan(one_sweep("    variants: [gpu_shared]\n    dtype: f64\n    axes: {threads: 2, size: 64, TILE: 4}\n"
                     "    set: {alpha: 1.5}\n"));
  ASSERT_TRUE(made) << made.error().message;
  const Case& c = made->cases.at(0);
  EXPECT_EQ(c.id, "lab5/x/gpu_shared threads=2 size=64 TILE=4 alpha=1.5");
  EXPECT_EQ(to_string(c.axes), "threads=2 size=64 TILE=4 alpha=1.5");
  EXPECT_EQ(to_string(c.macros), "TILE=4");
  EXPECT_EQ(to_string(c.parameters), "size=64 alpha=1.5");
  EXPECT_EQ(c.threads, 2);
  EXPECT_EQ(c.dtype, Dtype::f64);
  ASSERT_TRUE(c.problem);
  EXPECT_EQ(c.problem->label(), "size=64 alpha=1.5");
  EXPECT_EQ(c.problem->dtype(), Dtype::f64);
}

TEST_F(PlanTest, EqualProblemsAreOne) {
  const auto made = plan(one_sweep("    variants: [gpu_shared]\n    axes: {BLOCK: [8, 16], size: [64, 128]}\n"));
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->cases[0].problem, made->cases[2].problem);
  EXPECT_NE(made->cases[0].problem, made->cases[1].problem);
}

TEST_F(PlanTest, ZipTuplesAndOnly) {
  EXPECT_EQ(cases(one_sweep("    variants: [cpu_avx]\n    axes: {beta: [0, 1]}\n    zip: {m: [1, 2], n: [3, 4]}\n")),
            "cpu_avx beta=0 m=1 n=3 | cpu_avx beta=0 m=2 n=4 | cpu_avx beta=1 m=1 n=3 | cpu_avx beta=1 m=2 n=4");
  EXPECT_EQ(cases(one_sweep("    variants: [cpu_avx]\n    axes: {shape: [{m: 1, n: 2}, {m: 3, n: 4}]}\n")),
            "cpu_avx m=1 n=2 | cpu_avx m=3 n=4");
  EXPECT_EQ(cases(one_sweep("    variants: [cpu_avx, gpu_naive]\n"
                            "    axes: {BLOCK: {values: [8, 16], only: [\"gpu_*\"]}, size: [64, 128]}\n")),
            "cpu_avx size=64 | gpu_naive BLOCK=8 size=64 | cpu_avx size=128 | gpu_naive BLOCK=8 size=128 | "
            "gpu_naive BLOCK=16 size=64 | gpu_naive BLOCK=16 size=128");
}

TEST_F(PlanTest, AnAxisHasOtherValuesForOtherVariants) {
  EXPECT_EQ(cases(one_sweep("    variants: [cpu_avx, gpu_naive, gpu_shared]\n"
                            "    axes: {size: 64, BLOCK: {gpu_naive: 4, gpu_shared: [8, 16]}}\n")),
            "cpu_avx size=64 | gpu_naive size=64 BLOCK=4 | gpu_shared size=64 BLOCK=8 | gpu_shared size=64 "
            "BLOCK=16");
  EXPECT_EQ(cases(one_sweep("    variants: [gpu_naive, gpu_shared]\n"
                            "    axes: {BLOCK: {gpu_naive: 4, \"gpu_*\": 8}}\n")),
            "a.yaml:7:12: \"gpu_naive\" gets \"BLOCK\" twice; name it once");
  EXPECT_EQ(cases(one_sweep("    variants: [gpu_naive, gpu_shared]\n"
                            "    axes: {BLOCK: {gpu_naiv: 4}}\n")),
            "a.yaml:7:20: \"gpu_naiv\" is none of the variants of sweep \"x\" (did you mean \"gpu_naive\"?)");
}

TEST_F(PlanTest, TheVendorMustBeThere) {
  const auto with = [&](const std::string& vendor) {
    return cases(one_sweep("    variants: [gpu_naive]\n    axes: {size: 64}\n") + "vendor: [gpu_naive, " + vendor +
                 "]\n");
  };
  EXPECT_EQ(with("gpu_shared"), "a.yaml:8:21: the vendor \"gpu_shared\" is in no sweep; add it to the variants of a sweep");
  EXPECT_EQ(with("gpu_share"), "a.yaml:8:21: unknown variant \"gpu_share\" (did you mean \"gpu_shared\"?)");
}

TEST_F(PlanTest, ExcludedPointsKeepTheirReasonAndIncludedOnesComeAfter) {
  const auto made = plan(
      one_sweep("    variants: [cpu_avx, gpu_naive]\n    axes: {size: [64, 128]}\n    set: {beta: 0.5}\n"
                "    exclude: [{variant: gpu_*, size: [128, 256], reason: too slow}, {size: 128, reason: another}]\n"
                "    include: [{variant: gpu_naive, size: 128, BLOCK: 8}, {variant: cpu_*, size: 7, beta: 0}]\n"));
  ASSERT_TRUE(made) << made.error().message;
  std::string ids;
  for (const Case& c : made->cases) ids += c.id + "\n";
  EXPECT_EQ(ids,
            "lab5/x/cpu_avx size=64 beta=0.5\nlab5/x/gpu_naive size=64 beta=0.5\n"
            "lab5/x/gpu_naive size=128 BLOCK=8 beta=0.5\nlab5/x/cpu_avx size=7 beta=0\nlab5/x/cpu_baseline "
            "size=7 beta=0\n");
  ASSERT_EQ(made->excluded.size(), 2u);
  EXPECT_EQ(made->excluded[0].variant, "cpu_avx");
  EXPECT_EQ(made->excluded[0].reason, "another");
  EXPECT_EQ(made->excluded[1].variant, "gpu_naive");
  EXPECT_EQ(made->excluded[1].reason, "too slow") << "the first that matches";
  EXPECT_EQ(to_string(made->excluded[1].axes), "size=128 beta=0.5");
}

TEST_F(PlanTest, AVariantWithoutTheTypeIsSkipped) {
  variants_[0].dtypes = {Dtype::f32};
  variants_[1].dtypes = {};
  const auto made =
      plan(one_sweep("    variants: [cpu_avx, cpu_baseline, gpu_naive]\n    dtype: f64\n    axes: {size: 64}\n"));
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->cases[0].skip, "has no f64 version");
  EXPECT_EQ(made->cases[1].skip, std::nullopt) << "no entry point at all: the build tells";
  EXPECT_EQ(made->cases[2].skip, std::nullopt);
}

TEST_F(PlanTest, UnknownNames) {
  EXPECT_EQ(cases(one_sweep("    variants: [cpu_avx, gpu_shraed]\n")),
            "a.yaml:6:25: unknown variant \"gpu_shraed\" (did you mean \"gpu_shared\"?)");
  EXPECT_EQ(cases(one_sweep("    variants: [\"x*\"]\n")),
            "a.yaml:6:16: \"x*\" matches no variant; there are cpu_avx, cpu_baseline, gpu_naive, gpu_shared");
  EXPECT_EQ(cases(one_sweep("    variants: [cpu_avx]\n    axes: {siez: 1}\n")),
            "a.yaml:7:12: unknown axis \"siez\" (did you mean \"size\"?)");
  EXPECT_EQ(cases(one_sweep("    variants: [gpu_naive]\n    axes: {block: 1}\n")),
            "a.yaml:7:12: unknown axis \"block\" (did you mean \"BLOCK\"?)");
  EXPECT_EQ(cases(one_sweep("    variants: [cpu_avx]\n    axes: {size: 1}\n    set: {filters: 1}\n")),
            "a.yaml:8:11: unknown axis \"filters\"; gemm has size, m, n, k, alpha, beta, threads, and macros "
            "of the "
            "sources are upper-case");
  EXPECT_EQ(cases(one_sweep("    variants: [gpu_naive]\n    axes: {BLOCK: {values: [1], only: [gpu_shared]}}\n")),
            "a.yaml:7:40: \"gpu_shared\" is none of the variants of sweep \"x\"");
  EXPECT_EQ(cases(one_sweep("    variants: [cpu_avx]\n    axes: {size: 1}\n    include: [{variant: gpu, size: 1}]\n")),
            "a.yaml:8:15: unknown variant \"gpu\"; if students hand it in, name their folder with --submission");
  EXPECT_EQ(cases("baseline: cpu_basline\n" + one_sweep("    variants: [cpu_avx]\n    axes: {size: 1}\n")),
            "a.yaml:1:11: unknown variant \"cpu_basline\" (did you mean \"cpu_baseline\"?)");
  EXPECT_EQ(cases("baseline: cpu_baseline\n" + one_sweep("    variants: [cpu_avx]\n    axes: {size: 1}\n")),
            "a.yaml:1:11: the baseline \"cpu_baseline\" is in no sweep; add it to the variants of a sweep");
}

TEST_F(PlanTest, MacrosMustBeTheSources) {
  EXPECT_EQ(cases(one_sweep("    variants: [gpu_naive]\n    axes: {TILE: 1}\n")),
            "a.yaml:7:12: \"gpu_naive\" has no macro \"TILE\"; there is BLOCK");
  EXPECT_EQ(cases(one_sweep("    variants: [gpu_naive]\n    axes: {BLOK: 1}\n")),
            "a.yaml:7:12: \"gpu_naive\" has no macro \"BLOK\" (did you mean \"BLOCK\"?)");
  EXPECT_EQ(cases(one_sweep("    variants: [gpu_naive]\n    axes: {M: 1}\n")),
            "a.yaml:7:12: \"gpu_naive\" has no macro \"M\" (did you mean \"m\"?)");
  EXPECT_EQ(cases(one_sweep("    variants: [\"cpu_*\"]\n    axes: {BLOCK: 1}\n")),
            "a.yaml:7:12: no variant of the sweep has a macro \"BLOCK\"");
  EXPECT_EQ(cases(one_sweep("    variants: [cpu_avx, gpu_naive, gpu_shared]\n    axes: {BLOCK: 1}\n")),
            "a.yaml:7:12: \"cpu_avx\" has no macro \"BLOCK\"; write it under axes with only: [gpu_naive, "
            "gpu_shared]");
  EXPECT_EQ(cases(one_sweep("    variants: [gpu_naive, gpu_shared]\n    axes: {size: 1}\n    set: {TILE: 1}\n")),
            "a.yaml:8:11: \"gpu_naive\" has no macro \"TILE\"; write it under axes with only: [gpu_shared]");
}

TEST_F(PlanTest, ASubmissionWithoutTheMacroIsSkippedNotTheTeachersMistake) {
  variants_[3] = variant("gpu_shared");
  variants_[3].from_submission = true;
  const auto made = plan(one_sweep("    variants: [gpu_naive, gpu_shared]\n    axes: {size: 64, BLOCK: 8}\n"));
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->cases[0].skip, std::nullopt);
  EXPECT_EQ(made->cases[1].skip, "the source has no #ifndef BLOCK with a #define BLOCK");
}

TEST_F(PlanTest, WhatTheKindRefuses) {
  EXPECT_EQ(cases(one_sweep("    variants: [cpu_avx]\n    axes: {size: [64, -3]}\n")),
            "a.yaml:5:5: sweep \"x\", size=-3: size must be at least 1, not -3");
  EXPECT_EQ(cases(one_sweep("    variants: [cpu_avx]\n    axes: {size: 64, threads: 0}\n")),
            "a.yaml:7:22: \"threads\" must be a whole number from 1 to 4096, not \"0\"");
}

TEST_F(PlanTest, ExcludedPointsMayBeImpossible) {
  EXPECT_EQ(cases(one_sweep(
                "    variants: [cpu_avx]\n    axes: {size: [64, -3]}\n    exclude: [{size: -3, reason: none}]\n")),
            "cpu_avx size=64");
}

TEST_F(PlanTest, SweepsThatCannotBeMeant) {
  EXPECT_EQ(
      cases(one_sweep("    variants: [cpu_avx]\n    axes: {size: 64}\n    exclude: [{size: 64, reason: none}]\n")),
      "a.yaml:5:5: sweep \"x\" selects nothing: all of its cases are excluded");
  EXPECT_EQ(
      cases(one_sweep("    variants: [cpu_avx]\n    axes: {size: 64}\n    exclude: [{size: 65, reason: none}]\n")),
      "a.yaml:8:15: this exclude matches no case of sweep \"x\"");
  EXPECT_EQ(
      cases(one_sweep("    variants: [cpu_avx]\n    axes: {size: 64}\n    include: [{variant: cpu_avx, size: 64}]\n")),
      "a.yaml:8:15: cpu_avx size=64 is there already, from a.yaml:5:5; keep one");
  EXPECT_EQ(cases(one_sweep("    variants: [cpu_avx]\n    axes: {m: \"1:1000:+1\", n: \"1:1000:+1\"}\n")),
            "a.yaml:5:5: sweep \"x\" has 1000000 cases; 100000 are the limit");
}

TEST_F(PlanTest, ASubmittedVariantWithANewNameJoinsItsLike) {
  const std::string text =
      "lab: lab5\nkernel: gemm\nsweeps:\n"
      "  - {name: cpu, variants: [cpu_avx, cpu_baseline], axes: {size: 64}}\n"
      "  - {name: gpu, variants: [gpu_naive, gpu_shared], axes: {size: 64, BLOCK: 8}}\n"
      "  - {name: one, variants: [gpu_shared], axes: {size: 64}}\n";
  VariantInfo mine = variant("gpu_mine", {"BLOCK"});
  mine.from_submission = true;
  mine.file = "sub/gpu_mine.cu";
  variants_.push_back(mine);
  EXPECT_EQ(cases(text, {{"gpu_mine"}, {}, {}}), "gpu_mine size=64 BLOCK=8");
  const auto none = plan(text, {{"gpu_naive"}, {}, {}});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().message,
            "nothing of the submission is selected, only the lab's own gpu_naive; the submission has sub/gpu_mine.cu; "
            "name a file like the variant that it replaces, or select it with --variant gpu_mine");
  EXPECT_EQ(none.error().exit, ExitCode::nothing_selected);
  variants_.back().macros.clear();
  EXPECT_EQ(cases(text),
            "sub/gpu_mine.cu: no sweep of a.yaml takes it; give it the name of the variant it replaces: cpu_avx, "
            "cpu_baseline, gpu_naive, gpu_shared");
  variants_.back().name = "gpu_nave";
  EXPECT_EQ(cases(text),
            "sub/gpu_mine.cu: no sweep of a.yaml takes it (did you mean \"gpu_naive\"?); give it the name of the "
            "variant it replaces: cpu_avx, cpu_baseline, gpu_naive, gpu_shared");
}

TEST_F(PlanTest, ASubmittedVariantThatNoSweepTakesMattersOnlyIfItIsSelected) {
  const std::string text =
      "lab: lab5\nkernel: gemm\nsweeps:\n  - {name: cpu, variants: [cpu_avx, cpu_baseline], axes: {size: 64}}\n";
  VariantInfo mine = variant("cpu_mine"), other = variant("gpu_other");
  mine.from_submission = other.from_submission = true;
  other.file = "sub/gpu_other.cu";
  variants_.push_back(mine);
  variants_.push_back(other);
  EXPECT_EQ(cases(text, {{"cpu_m*"}, {}, {}}), "cpu_mine size=64");
  EXPECT_EQ(cases(text, {{"cpu_m*", "gpu_other"}, {}, {}}),
            "sub/gpu_other.cu: no sweep of a.yaml takes it; give it the name of the variant it replaces: cpu_avx, "
            "cpu_baseline");
  variants_.back().defect = "it is UTF-16 text; save it as UTF-8";
  EXPECT_EQ(cases(text), "sub/gpu_other.cu: it is UTF-16 text; save it as UTF-8");
  variants_.back().defect = "sub/gpu_other.cu:7:1: LAB_TUNE(BLOCK): it is declared twice; keep one";
  EXPECT_EQ(cases(text), "sub/gpu_other.cu:7:1: LAB_TUNE(BLOCK): it is declared twice; keep one");
}

}  // namespace
}  // namespace harness
