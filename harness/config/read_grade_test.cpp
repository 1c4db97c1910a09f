#include <gtest/gtest.h>

#include "harness/base/files.h"
#include "harness/base/text.h"
#include "harness/config/rule_kinds.h"
#include "harness/config/scalars.h"
#include "harness/config/test_texts.h"

namespace harness {
namespace {

const std::string head = small_config + "baseline: cpu_baseline\ngrade:\n  rules:\n";

std::string rule_error(const std::string& rule, const std::string& more = "") {
  return config_error(head + "    - " + rule + "\n" + more);
}

TEST(GradeRules, AreReadInTheOrderOfTheFile) {
  const auto config = parse_config(head + "    - {name: it builds, rule: builds, variant: cpu_avx, points: 10}\n" +
                                       "    - {name: fast, rule: speed, variant: cpu_avx, where: {size: 128}, linear: "
                                       "{8: 20, 2: 0}, hidden: true}\n" +
                                       "    - {name: time, rule: speed, variant: cpu_avx, metric: kernel_ms, steps: "
                                       "{10: 1, 5: 2.5}, across: best}\n" +
                                       "    - {name: report, rule: manual, points: 5}\n",
                                   "a.yaml");
  ASSERT_TRUE(config) << config.error().message;
  const GradeRules& grade = *config->grade;
  ASSERT_EQ(grade.rules.size(), 4u);
  EXPECT_EQ(grade.points(), 37.5);
  EXPECT_EQ(grade.submitted(), std::vector<std::string>{"cpu_avx"});
  const Rule &fast = grade.rules[1], &time = grade.rules[2];
  EXPECT_TRUE(fast.hidden);
  EXPECT_EQ(fast.between, Between::linear);
  EXPECT_EQ(fast.where, (decltype(fast.where){{"size", {int64_t{128}}}}));
  EXPECT_EQ(fast.thresholds[0].value, 2) << "from slow to fast";
  EXPECT_EQ(time.thresholds[0].value, 10) << "from slow to fast";
  EXPECT_EQ(time.across, Across::best);
  EXPECT_EQ(to_string(grade.rules[3].position), "a.yaml:13:7");
}

TEST(GradeRules, HideACaseThatOnlyHiddenRulesLookAt) {
  const Rule builds{.name = "builds", .kind = "builds", .variant = "cpu_avx"};
  Rule right{.name = "right", .kind = "correct", .variant = "cpu_avx", .where = {{"size", {int64_t{16}, int64_t{32}}}}};
  Rule secret{.name = "secret", .kind = "correct", .variant = "cpu_avx", .where = {{"size", {int64_t{32}, int64_t{64}}}}};
  secret.hidden = true;
  const GradeRules grade{.rules = {builds, right, secret}};
  EXPECT_FALSE(grade.hides("cpu_avx", "sizes", {{"size", int64_t{16}}}));
  EXPECT_FALSE(grade.hides("cpu_avx", "sizes", {{"size", int64_t{32}}}));
  EXPECT_TRUE(grade.hides("cpu_avx", "sizes", {{"size", int64_t{64}}}));
  EXPECT_FALSE(grade.hides("cpu_avx", "sizes", {{"size", int64_t{128}}})) << "no rule looks at it but one that shows nothing";
  EXPECT_FALSE(grade.hides("cpu_baseline", "sizes", {{"size", int64_t{64}}}));
}

TEST(GradeRules, DiagnosticsMayHaveAFactorThatIsAllowed) {
  const auto without = [](const std::string& value) {
    const std::string rule = "    - {name: a, rule: clean, variant: cpu_avx, points: 1, without: " + value + "}\n";
    return parse_config(head + rule, "a.yaml")->grade->rules[0].without;
  };
  EXPECT_EQ(without("[race_shared, uncoalesced]"), (std::vector<Unwanted>{{"race_shared"}, {"uncoalesced"}}));
  EXPECT_EQ(without("{bank_conflicts: 2.5}"), (std::vector<Unwanted>{{"bank_conflicts", 2.5}}));
  EXPECT_EQ(rule_error("{name: a, rule: clean, variant: cpu_avx, points: 1, without: {bank_conflicts: many}}"),
            "a.yaml:10:85: \"bank_conflicts\" must be a number from 1 to 1000000, not \"many\"");
}

TEST(GradeRules, ChangeTheirVersionAndNotTheHashOfTheRun) {
  const auto config_of = [](const std::string& rest) { return *parse_config(head + "    - " + rest + "\n", "a.yaml"); };
  const Config one = config_of("{name: a, rule: builds, variant: cpu_avx, points: 10}"),
               same = config_of("{name: a, rule: builds, variant: cpu_avx, points: 10}  # a comment"),
               other = config_of("{name: a, rule: builds, variant: cpu_avx, points: 11}");
  EXPECT_EQ(one.grade->version, same.grade->version);
  EXPECT_NE(one.grade->version, other.grade->version);
  EXPECT_EQ(one.run_hash, other.run_hash);
  EXPECT_EQ(one.grade->intake_version, other.grade->intake_version);
  const Config late = config_of("{name: a, rule: builds, variant: cpu_avx, points: 10}\n  late: {per_day: 10%}");
  EXPECT_NE(one.grade->intake_version, late.grade->intake_version);
  EXPECT_NE(one.run_hash, parse_config(small_config, "a.yaml")->run_hash) << "it has a baseline";
}

TEST(GradeRules, LatenessFilesAndAttempts) {
  const std::string rules = head + "    - {name: a, rule: builds, variant: cpu_avx, points: 10}\n";
  const auto config = parse_config(rules + "  files: {misnamed: accept, extra: refuse}\n  attempts: best\n" +
                                       "  late: {deadline: 2026-11-20T23:59+01:00, per_day: 10%, grace: 15m}\n",
                                   "a.yaml");
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(config->grade->files.misnamed, MisnamedFiles::accept);
  EXPECT_EQ(config->grade->files.extra, ExtraFiles::refuse);
  EXPECT_EQ(config->grade->files.duplicate, DuplicateFiles::refuse);
  EXPECT_EQ(config->grade->attempts, Attempts::best);
  EXPECT_EQ(config->grade->late->per_day, 0.1);
  EXPECT_EQ(config->grade->late->grace_s, 900);
  EXPECT_EQ(parse_time(config->grade->late->deadline), parse_time("2026-11-20 22:59:00Z"));
  EXPECT_EQ(config_error(rules + "  late: {deadline: tomorrow, per_day: 10%}\n"),
            "a.yaml:11:20: \"tomorrow\" is not a time such as 2026-11-20T23:59+01:00");
  EXPECT_EQ(config_error(rules + "  late: {grace: 10m}\n"),
            "a.yaml:11:9: \"late\" costs nothing; give \"per_day\" or \"cut_off\"");
  EXPECT_EQ(config_error(rules + "  late: {per_day: 1%, grace: 10m, cut_off: 5m}\n"),
            "a.yaml:11:9: \"cut_off\" is shorter than \"grace\"");
}

TEST(GradeRules, OfAClaim) {
  EXPECT_EQ(rule_error("{name: a, rule: claim, variant: cpu_avx, points: 1, sweep: sizes, claim: time of cpu_avx}"),
            "a.yaml:10:95: the claim ends too early: expected \"<\", \">\", \"over\", \"equal\", \"rises\", \"falls\", "
            "\"flat\", \"dips\", \"lowest\", \"highest\", \"grows\", \"last\", \"between\", \"at\", \"above\" or \"below\"");
  EXPECT_EQ(rule_error("{name: a, rule: claim, variant: cpu_avx, points: 1, sweep: sizes, claim: time of cpu_baseline "
                       "below 3}"),
            "a.yaml:10:80: rule \"a\" has a claim that is not about its variant \"cpu_avx\"");
}

TEST(GradeRules, InAnotherFileReplaceThoseOfTheConfig) {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "rules.yaml").string();
  const auto read = [&](const std::string& text) {
    EXPECT_TRUE(write_file(file, text));
    return parse_config(head + "    - {name: a, rule: builds, variant: cpu_avx, points: 10}\n", "a.yaml", file);
  };
  const auto config = read("rules:\n  - {name: b, rule: builds, variant: cpu_avx, points: 7, hidden: true}\n");
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(config->grade->points(), 7);
  EXPECT_EQ(config->run_hash, parse_config(small_config + "baseline: cpu_baseline\n", "a.yaml")->run_hash);
  EXPECT_EQ(read("rules:\n  - {name: b, rule: builds, variant: cpu_avc, points: 7}\n").error().message,
            file + ":2:38: no sweep has the variant \"cpu_avc\" (did you mean \"cpu_avx\"?)");
  EXPECT_EQ(read(std::string(2 << 20, '#')).error().message,
            file + ": 2 MiB are too much for rules; the limit is 1 MiB");
  EXPECT_EQ(read("- 3\n").error().message,
            file +
                ": has no rules; it holds what is below \"grade\" in a config, for example rules: [{name: right, "
                "rule: correct, variant: cpu_avx, points: 10}]");
}

TEST(GradeRules, MistakesHavePositionsAndSuggestions) {
  EXPECT_EQ(
      rule_error("{name: a, rule: bilds, variant: cpu_avx, points: 1}"),
      "a.yaml:10:23: \"rule\" must be one of builds, correct, speed, clean, claim, manual, not \"bilds\" (did you mean "
      "\"builds\"?)");
  EXPECT_EQ(rule_error("{name: a, rule: builds, variant: cpu_axv, points: 1}"),
            "a.yaml:10:40: no sweep has the variant \"cpu_axv\" (did you mean \"cpu_avx\"?)");
  EXPECT_EQ(rule_error("{name: a, rule: builds, points: 1}"), "a.yaml:10:7: rule \"a\" needs a key \"variant\"");
  EXPECT_EQ(rule_error("{name: a, rule: builds, variant: cpu_avx, points: -1}"),
            "a.yaml:10:57: \"points\" must be a number from 0 to 10000, not \"-1\"");
  EXPECT_EQ(rule_error("{name: a, rule: manual, variant: cpu_avx, points: 1}"),
            "a.yaml:10:31: rule \"a\" is of the kind \"manual\", which has no key \"variant\"");
  EXPECT_EQ(rule_error("{name: a, rule: correct, variant: cpu_avx, where: {sise: 64}, points: 1}"),
            "a.yaml:10:58: no sweep has the axis \"sise\" (did you mean \"size\"?)");
  EXPECT_EQ(rule_error("{name: a, rule: correct, variant: cpu_avx, where: {size: 63}, points: 1}"),
            "a.yaml:10:64: no case has size=63; there are 64, 128");
  EXPECT_EQ(rule_error("{name: a, rule: correct, variant: cpu_avx, sweep: large, points: 1}"),
            "a.yaml:10:57: unknown sweep \"large\"; there are sizes");
  EXPECT_EQ(rule_error("{name: a, rule: correct, variant: cpu_avx, point: 1}"),
            "a.yaml:10:50: unknown key \"point\" (did you mean \"points\"?)");
  EXPECT_EQ(rule_error("{name: a, rule: builds, variant: cpu_avx, points: 1}",
                       "    - {name: a, rule: builds, variant: cpu_avx, points: 1}\n"),
            "a.yaml:11:14: duplicate rule \"a\" (first on line 10)");
  EXPECT_EQ(rule_error("{name: a, rule: builds, variant: cpu_avx, points: 0}"),
            "a.yaml:10:5: the points of all rules are 0 together");
  EXPECT_EQ(rule_error("{name: a, rule: builds, variant: cpu_baseline, points: 1}"),
            "a.yaml:10:7: rule \"a\": students cannot hand in \"cpu_baseline\", because others are compared with it");
}

TEST(GradeRules, MistakesOfThresholds) {
  EXPECT_EQ(rule_error("{name: a, rule: speed, variant: cpu_avx}"),
            "a.yaml:10:7: rule \"a\" needs one of the keys \"steps\" and \"linear\"");
  EXPECT_EQ(rule_error("{name: a, rule: speed, variant: cpu_avx, steps: {2: 5, 4: 3}}"),
            "a.yaml:10:55: rule \"a\" gives 5 points at 2 and only 3 at 4, which is faster");
  EXPECT_EQ(rule_error("{name: a, rule: speed, variant: cpu_avx, metric: kernel_ms, steps: {2: 5, 4: 6}}"),
            "a.yaml:10:74: rule \"a\" gives 6 points at 4 and only 5 at 2, which is faster");
  EXPECT_EQ(rule_error("{name: a, rule: speed, variant: cpu_avx, steps: {2: 5, 2.0: 5}}"),
            "a.yaml:10:55: rule \"a\" has the threshold 2 twice");
  EXPECT_EQ(rule_error("{name: a, rule: speed, variant: cpu_avx, steps: {fast: 5}}"),
            "a.yaml:10:56: a key of \"steps\" must be a number, not \"fast\"");
  EXPECT_EQ(rule_error("{name: a, rule: speed, variant: cpu_avx, steps: {}}"),
            "a.yaml:10:55: rule \"a\" has no thresholds");
  EXPECT_EQ(rule_error("{name: a, rule: speed, variant: cpu_avx, over: cpu_avx, steps: {2: 5}}"),
            "a.yaml:10:7: rule \"a\" compares \"cpu_avx\" with itself");
  EXPECT_EQ(rule_error("{name: a, rule: speed, variant: cpu_avx, over: cpu_baseline, metric: gflops, steps: {2: 5}}"),
            "a.yaml:10:76: rule \"a\" has \"metric\" and \"over\"; keep one");
  EXPECT_EQ(config_error(small_config + "grade: {rules: [{name: a, rule: speed, variant: cpu_avx, steps: {2: 5}}]}\n"),
            "a.yaml:7:17: rule \"a\" is about the speedup, and the config has no \"baseline\"");
}

TEST(RuleKinds, AreFoundByName) {
  EXPECT_EQ(find_rule_kind("speed")->required, std::vector<std::string>{"variant"});
  EXPECT_EQ(find_rule_kind("sped"), nullptr);
}

}  // namespace
}  // namespace harness
