#include <gtest/gtest.h>

#include <set>

#include "harness/config/rule_kinds.h"
#include "harness/grade/assessor.h"
#include "harness/store/example_records.h"

namespace harness {
namespace {

/// A case of cpu_avx as a rule sees it.
CaseRecord case_of(int64_t size, Status status, const std::string& reason = "") {
  CaseRecord record;
  record.id = "a/sizes/cpu_avx size=" + std::to_string(size);
  record.sweep = "sizes";
  record.variant = "cpu_avx";
  record.axes = {{"size", size}};
  record.owner = "submission";
  record.status = status;
  record.reason = reason;
  return record;
}

CaseRecord timed(int64_t size, double speedup, double low, double high) {
  CaseRecord record = case_of(size, Status::PASSED);
  record.metrics = {
      {MetricName::speedup, {.median = speedup, .low = low, .high = high, .n = 6, .over = "cpu_baseline"}}};
  return record;
}

RunRecord run_of(std::vector<CaseRecord> cases) {
  RunRecord run = testing::header();
  run.cases = std::move(cases);
  return run;
}

Rule rule_of(const std::string& kind, double points = 12) {
  Rule rule;
  rule.name = "r";
  rule.kind = kind;
  rule.variant = "cpu_avx";
  rule.points = points;
  return rule;
}

Rule speed_rule(Between between, std::vector<Threshold> thresholds, Across across = Across::mean) {
  Rule rule = rule_of("speed", thresholds.back().points);
  rule.thresholds = std::move(thresholds);
  rule.between = between;
  rule.across = across;
  return rule;
}

Award award_of(const Rule& rule, const RunRecord& run, Work work = {}) {
  work.run = &run;
  return award_points({{rule}, "v"}, work).rules.at(0);
}

TEST(Points, EveryKindInTheTableHasAnAssessor) {
  std::set<std::string_view> known, registered;
  for (const RuleKind& kind : rule_kinds()) known.insert(kind.name);
  for (const Assessor* one : registry<Assessor>()) registered.insert(one->kind());
  EXPECT_EQ(known, registered);
}

struct Example {
  const char* what;
  Rule rule;
  std::vector<CaseRecord> cases;
  double earned, open;
  const char *why, *next;
};

Rule all_or_nothing() {
  Rule rule = rule_of("correct");
  rule.credit = Credit::all;
  return rule;
}

CaseRecord declined_by_variant() {
  CaseRecord record = case_of(64, Status::SKIPPED, "on m=64: only multiples of 100");
  record.notes = {{NoteCode::declined}};
  return record;
}

CaseRecord once_timed(int64_t size, double speedup) {
  CaseRecord record = case_of(size, Status::PASSED);
  record.metrics = {{MetricName::speedup, {.median = speedup, .n = 1, .over = "cpu_baseline"}}};
  return record;
}

Rule where_size(int64_t size) {
  Rule rule = rule_of("correct");
  rule.where = {{"size", {size}}};
  return rule;
}

const CaseRecord wrong = case_of(65, Status::WRONG, "on m=65: 3 of 9 cells differ"),
                 skipped = case_of(64, Status::SKIPPED, "needs avx512f"),
                 refused = case_of(64, Status::COMPILE_ERROR, "a.cpp:3:1: error: no ;"),
                 right = case_of(64, Status::PASSED), scattered = case_of(66, Status::UNSTABLE, "±9 %");
const CaseRecord suspect = case_of(67, Status::SUSPECT, "two clocks disagree");
const std::vector<Threshold> ladder = {{2, 5}, {4, 15}};

const Example examples[] = {
    {"it compiles", rule_of("builds"), {right, wrong}, 12, 0, "it compiles", ""},
    {"it does not",
     rule_of("builds"),
     {right, refused},
     0,
     0,
     "it does not compile",
     "COMPILE_ERROR: a.cpp:3:1: error: no ;"},
    {"not tried here", rule_of("builds"), {skipped}, 0, 12, "it was not compiled: needs avx512f", ""},
    {"a share per case",
     rule_of("correct"),
     {right, wrong, scattered},
     8,
     0,
     "2 of 3 cases right",
     "cpu_avx size=65: WRONG: on m=65: 3 of 9 cells differ"},
    {"skipped cases are open",
     rule_of("correct"),
     {right, skipped},
     6,
     6,
     "1 of 2 cases right, 1 not run: needs avx512f",
     ""},
    {"all or nothing",
     all_or_nothing(),
     {right, wrong},
     0,
     0,
     "1 of 2 cases right",
     "cpu_avx size=65: WRONG: on m=65: 3 of 9 cells differ"},
    {"all right", all_or_nothing(), {right, scattered}, 12, 0, "2 of 2 cases right", ""},
    {"all or nothing, one open",
     all_or_nothing(),
     {right, skipped},
     0,
     12,
     "1 of 2 cases right, 1 not run: needs avx512f",
     ""},
    {"only some cases", where_size(64), {right, wrong}, 12, 0, "1 of 1 case right", ""},
    {"no such case", where_size(7), {right}, 0, 12, "no case of this rule is in the run", ""},
    {"below the first step",
     speed_rule(Between::steps, ladder),
     {timed(9, 1, 0.9, 1.1)},
     0,
     0,
     "speedup 1 (0.9 .. 1.1) at size=9",
     "5 points at speedup 2"},
    {"on a step",
     speed_rule(Between::steps, ladder),
     {timed(9, 3, 2.9, 3.1)},
     5,
     0,
     "speedup 3 (2.9 .. 3.1) at size=9",
     "15 points at speedup 4"},
    {"noise favours the student",
     speed_rule(Between::steps, ladder),
     {timed(9, 3.95, 3.9, 4.01)},
     15,
     0,
     "speedup 3.95 (3.9 .. 4.01) at size=9, within noise of the threshold, so 15 points count and not 5",
     ""},
    {"too much noise favours nobody",
     speed_rule(Between::steps, ladder),
     {timed(9, 3, 1, 99)},
     0,
     15,
     "speedup 3 (1 .. 99) at size=9, too noisy to decide about 15 more points",
     "5 points at speedup 2"},
    {"between two thresholds",
     speed_rule(Between::linear, ladder),
     {timed(9, 3, 3, 3)},
     10,
     0,
     "speedup 3 (3 .. 3) at size=9",
     "15 points at speedup 4"},
    {"the mean of the cases",
     speed_rule(Between::steps, ladder),
     {timed(9, 5, 5, 5), timed(8, 2, 2, 2)},
     10,
     0,
     "the mean of 2 cases, the worst with speedup 2 (2 .. 2) at size=8",
     "15 points at speedup 4"},
    {"the best of the cases",
     speed_rule(Between::steps, ladder, Across::best),
     {timed(9, 5, 5, 5), timed(8, 2, 2, 2)},
     15,
     0,
     "the best of 2 cases: speedup 5 (5 .. 5) at size=9",
     ""},
    {"the worst of the cases",
     speed_rule(Between::steps, ladder, Across::worst),
     {timed(9, 5, 5, 5), timed(8, 2, 2, 2)},
     5,
     0,
     "the worst of 2 cases: speedup 2 (2 .. 2) at size=8",
     "15 points at speedup 4"},
    {"a wrong case elsewhere",
     speed_rule(Between::steps, ladder),
     {timed(9, 5, 5, 5), wrong},
     0,
     0,
     "speed counts when all cases of cpu_avx are right; cpu_avx size=65 is WRONG",
     "make it right first"},
    {"a person decides about a time that cannot be true",
     rule_of("correct"),
     {right, suspect, wrong},
     4,
     4,
     "1 of 3 cases right, 1 SUSPECT, so a person decides",
     "cpu_avx size=67: SUSPECT: two clocks disagree"},
    {"also where all must be right",
     all_or_nothing(),
     {right, suspect},
     0,
     12,
     "1 of 2 cases right, 1 SUSPECT, so a person decides",
     "cpu_avx size=67: SUSPECT: two clocks disagree"},
    {"and about its points for speed",
     speed_rule(Between::steps, ladder),
     {timed(9, 5, 5, 5), suspect},
     0,
     15,
     "speed counts when all cases of cpu_avx are right; cpu_avx size=67 is SUSPECT, so a person decides",
     ""},
    {"but not if another case is wrong",
     speed_rule(Between::steps, ladder),
     {suspect, wrong},
     0,
     0,
     "speed counts when all cases of cpu_avx are right; cpu_avx size=65 is WRONG",
     "make it right first"},
    {"a case without a time",
     speed_rule(Between::steps, ladder),
     {timed(9, 5, 5, 5), skipped},
     7.5,
     7.5,
     "speedup 5 (5 .. 5) at size=9; cpu_avx size=64 has no speedup: needs avx512f",
     ""},
    {"a case without a time may be the best",
     speed_rule(Between::steps, ladder, Across::best),
     {timed(9, 2, 2, 2), skipped},
     5,
     10,
     "speedup 2 (2 .. 2) at size=9; cpu_avx size=64 has no speedup: needs avx512f",
     "15 points at speedup 4"},
    {"or the worst",
     speed_rule(Between::steps, ladder, Across::worst),
     {timed(9, 5, 5, 5), skipped},
     0,
     15,
     "speedup 5 (5 .. 5) at size=9; cpu_avx size=64 has no speedup: needs avx512f",
     ""},
    {"few samples decide nothing",
     speed_rule(Between::steps, ladder),
     {once_timed(9, 2.1)},
     0,
     5,
     "speedup 2.1 at size=9, too few samples to decide about 5 points",
     "5 points at speedup 2"},
    {"nor do they open what is far away",
     speed_rule(Between::steps, ladder),
     {once_timed(9, 0.5)},
     0,
     0,
     "speedup 0.5 at size=9",
     "5 points at speedup 2"},
    {"a variant that declines a case loses it",
     rule_of("correct"),
     {case_of(65, Status::PASSED), declined_by_variant()},
     6,
     0,
     "1 of 2 cases right",
     "cpu_avx size=64: SKIPPED: on m=64: only multiples of 100"},
    {"and its speed",
     speed_rule(Between::steps, ladder),
     {timed(9, 5, 5, 5), declined_by_variant()},
     0,
     0,
     "speed counts when all cases of cpu_avx are right; cpu_avx size=64 is SKIPPED",
     "make it right first"},
};

TEST(Points, AVisibleRuleSaysNothingOfTheCasesOfAHiddenOne) {
  Rule speed = speed_rule(Between::steps, ladder), secret = rule_of("correct");
  speed.where = {{"size", {int64_t{9}}}};
  secret.where = {{"size", {int64_t{65}}}};
  secret.hidden = true;
  const RunRecord run = run_of({timed(9, 5, 5, 5), wrong}), right = run_of({timed(9, 5, 5, 5), case_of(65, Status::PASSED)});
  const auto award = [&](const RunRecord& of) { return award_points({.rules = {speed, secret}}, {.run = &of}).rules.at(0); };
  EXPECT_EQ(award(run).why, award(right).why);
  EXPECT_EQ(award(run).earned, award(right).earned);
  EXPECT_GT(award(run).earned, 0);
  speed.hidden = true;
  EXPECT_EQ(award(run).earned, 0);
  EXPECT_EQ(award(run).why, "speed counts when all cases of cpu_avx are right; cpu_avx size=65 is WRONG");
}

TEST(Points, OfOneRule) {
  for (const Example& e : examples) {
    const Award award = award_of(e.rule, run_of(e.cases));
    EXPECT_EQ(award.earned, e.earned) << e.what;
    EXPECT_EQ(award.open, e.open) << e.what;
    EXPECT_EQ(award.of, e.rule.points) << e.what;
    EXPECT_EQ(award.why, e.why) << e.what;
    EXPECT_EQ(award.next, e.next) << e.what;
  }
}

TEST(Points, ShorterTimesAreFaster) {
  Rule rule = speed_rule(Between::linear, {{10, 0}, {5, 10}});
  rule.metric = MetricName::kernel_ms;
  CaseRecord record = case_of(9, Status::PASSED);
  record.metrics = {{MetricName::kernel_ms, {.median = 8, .low = 7.5, .high = 8.5}}};
  EXPECT_EQ(award_of(rule, run_of({record})).earned, 5);
  record.metrics[0].second = {.median = 5.2, .low = 4.9, .high = 5.5};
  EXPECT_EQ(award_of(rule, run_of({record})).earned, 10);
  record.metrics[0].second = {.median = 8, .low = 5, .high = 9};  // the worse end is the longer time
  EXPECT_EQ(award_of(rule, run_of({record})).earned, 2);
  EXPECT_EQ(award_of(rule, run_of({record})).open, 8);
}

TEST(Points, OverAnotherVariantOfTheSameProblem) {
  Rule rule = speed_rule(Between::steps, {{2, 10}});
  rule.over = "cpu_reference";
  CaseRecord mine = case_of(9, Status::PASSED), reference = mine, other = mine;
  mine.samples_ms = {1, 1, 1, 1, 1, 1, 1};
  reference.variant = other.variant = "cpu_reference";
  reference.owner = other.owner = "lab";
  reference.samples_ms = {2, 2, 2, 2, 2, 2, 2};
  other.samples_ms = {9, 9, 9, 9, 9, 9, 9};
  other.parameters = {{"m", int64_t{5}}};
  for (CaseRecord* one : {&mine, &reference}) one->rounds = {0, 1, 2, 3, 4, 5, 6};
  const Award award = award_of(rule, run_of({mine, other, reference}));
  EXPECT_EQ(award.earned, 10);
  EXPECT_EQ(award.why, "speedup over cpu_reference 2 (2 .. 2) at size=9");
  CaseRecord slower = reference;  // with another value of a macro
  slower.samples_ms = {9, 9, 9, 9, 9, 9, 9};
  for (const auto& cases : {std::vector{mine, reference, slower}, {mine, slower, reference}})
    EXPECT_EQ(award_of(rule, run_of(cases)).why, award.why);
  reference.owner = "submission";
  const Award replaced = award_of(rule, run_of({mine, other, reference}));
  EXPECT_EQ(replaced.open, 10);
  EXPECT_EQ(replaced.why, "cpu_avx size=9 has no speedup over cpu_reference: the submission replaces cpu_reference");
}

TEST(Points, TheLabsOwnVariantIsNotTheStudents) {
  CaseRecord record = case_of(9, Status::PASSED);
  record.owner = "lab";
  const Award award = award_of(rule_of("correct"), run_of({record}));
  EXPECT_EQ(award.earned, 0);
  EXPECT_EQ(award.why, "\"cpu_avx\" is not in the submission");
  EXPECT_EQ(award.next, "hand in a source file named cpu_avx, for example cpu_avx.cpp");
}

TEST(Points, OfAMissingFileSayWhatToHandIn) {
  Rule rule = rule_of("correct");
  rule.variant = "gpu_mine";
  GradeRules grade;
  grade.rules = {rule};
  const AwardedPoints points = award_points(grade, {nullptr, {"gpu_mine"}, {}});
  EXPECT_EQ(points.rules.at(0).next, "hand in a source file named gpu_mine, for example gpu_mine.cu");
}

TEST(Points, OfDiagnostics) {
  RunRecord run = run_of({case_of(9, Status::PASSED)});
  EXPECT_EQ(award_of(rule_of("clean"), run).open, 12) << "a CPU has no diagnostics";
  run.emulated = EmulatedDevice{};
  run.cases[0].device = Device::emulated;
  EXPECT_EQ(award_of(rule_of("clean"), run).earned, 12);
  run.cases[0].diagnostics = {
      {.kind = "uncoalesced", .severity = Severity::advice, .file = "x.cu", .line = 7, .what = "slow", .fix = "turn"}};
  EXPECT_EQ(award_of(rule_of("clean"), run).earned, 12) << "advice is no mistake";
  Rule rule = rule_of("clean");
  rule.without = {{"uncoalesced"}};
  EXPECT_EQ(award_of(rule, run).earned, 0);
  EXPECT_EQ(award_of(rule, run).next, "x.cu:7: slow (usually: turn)");
  rule.without = {{"uncoalesced", 2}};
  run.cases[0].diagnostics[0].have = 6;
  run.cases[0].diagnostics[0].ideal = 3;
  EXPECT_EQ(award_of(rule, run).earned, 12) << "twice as much is allowed";
  run.cases[0].diagnostics[0].have = 7;
  EXPECT_EQ(award_of(rule, run).earned, 0);
  run.cases[0].diagnostics[0].have = 1;
  EXPECT_EQ(award_of(rule, run).earned, 0) << "of divergence, the ideal is the larger number";
}

TEST(Points, OfAPerson) {
  Rule rule = rule_of("manual");
  rule.variant = "";
  EXPECT_EQ(award_of(rule, run_of({})).open, 12);
  const Award award = award_of(rule, run_of({}), {nullptr, {}, {{"r", 7.5}}});
  EXPECT_EQ(award.earned, 7.5);
  EXPECT_EQ(award.open, 0);
  EXPECT_EQ(award.why, "7.5 of 12 points given by a person");
}

TEST(Points, APersonHasTheLastWord) {
  const Award award = award_of(rule_of("correct"), run_of({right, suspect}), {nullptr, {}, {{"r", 11}}});
  EXPECT_EQ(award.earned, 11);
  EXPECT_EQ(award.open, 0);
  EXPECT_EQ(award.why,
            "11 of 12 points given by a person; computed: 6, 1 of 2 cases right, 1 SUSPECT, so a person decides");
}

TEST(Points, OfARefusedSubmission) {
  const AwardedPoints points = award_points({{rule_of("correct")}, "v"}, {nullptr, {"cpu_avx"}, {}, "x.h: a link"});
  EXPECT_EQ(points.rules.at(0).why, "nothing was run: x.h: a link");
  EXPECT_EQ(points.rules.at(0).next, "");
  EXPECT_EQ(points.open, 0);
}

TEST(Points, AreAddedUpAsTheyArePrinted) {
  const Rule third = rule_of("correct", 10);
  const RunRecord run = run_of(
      {right, wrong, scattered, case_of(67, Status::WRONG), case_of(68, Status::WRONG), case_of(69, Status::WRONG)});
  const AwardedPoints points = award_points({{third, third, third}, "v"}, {&run, {}, {}});
  EXPECT_EQ(points.rules[0].earned, 3.33);
  EXPECT_EQ(points.earned, 9.99);
  EXPECT_EQ(points.of, 30);
}

TEST(Points, AMarkGivesAtMostWhatTheRuleGivesNow) {
  Work work;
  work.marks = {{"r", 12.345}};
  const Award award = award_of(rule_of("correct", 9), run_of({right}), work);
  EXPECT_EQ(award.earned, 9);
  EXPECT_EQ(award.why, "9 of 9 points given by a person, who gave 12.345; computed: 9, 1 of 1 case right");
  EXPECT_EQ(award_of(rule_of("correct", 20), run_of({right}), work).earned, 12.35) << "rounded as all points";
}

TEST(Points, OfAClaim) {
  Rule rule = rule_of("claim");
  Claim claim;
  claim.text = "speedup of cpu_avx in sizes at least 3";
  claim.form = claim::Within{{MetricName::speedup, "cpu_avx", "sizes", {}}, {.low = 3}};
  rule.claim = claim;
  const Award holds = award_of(rule, run_of({timed(9, 5, 4.9, 5.1)}));
  EXPECT_EQ(holds.earned, 12);
  EXPECT_EQ(holds.why, "HOLDS: speedup 5 (4.9 to 5.1)");
  const Award fails = award_of(rule, run_of({timed(9, 2, 1.9, 2.1)}));
  EXPECT_EQ(fails.earned + fails.open, 0);
  EXPECT_EQ(fails.next, "it should hold: speedup of cpu_avx in sizes at least 3");
  EXPECT_EQ(award_of(rule, run_of({timed(9, 3, 2.9, 3.1)})).open, 12) << "undecided";
  EXPECT_EQ(award_of(rule, run_of({timed(9, 5, 4.9, 5.1), wrong})).why,
            "a claim counts when all cases of cpu_avx are right; cpu_avx size=65 is WRONG");
}

TEST(Points, OfAClaimAboutAReferenceThatTheSubmissionReplaces) {
  Rule rule = rule_of("claim");
  Claim claim;
  claim.form = claim::Order{{{MetricName::kernel_ms, "cpu_avx", "sizes", {}}, {MetricName::kernel_ms, "cpu_reference", "sizes", {}}}};
  rule.claim = claim;
  CaseRecord reference = timed(9, 1, 0.9, 1.1);
  reference.variant = "cpu_reference";
  reference.owner = "submission";
  const Award replaced = award_of(rule, run_of({timed(9, 5, 4.9, 5.1), reference}));
  EXPECT_EQ(replaced.open, 12);
  EXPECT_EQ(replaced.why, "the submission replaces cpu_reference, which the claim compares with");
  rule.claim->form = claim::Within{{MetricName::speedup, "cpu_avx", "sizes", {}}, {.low = 3}};
  CaseRecord fast = timed(9, 5, 4.9, 5.1);
  for (auto& [name, metric] : fast.metrics) metric.over = "cpu_reference";
  EXPECT_EQ(award_of(rule, run_of({fast, reference})).why, replaced.why);
}

TEST(CheckRules, NothingCountsTwice) {
  Config config;
  config.grade.emplace();
  Rule some = where_size(64), again = some;
  again.name = "again";
  again.position = {"a.yaml", 3, 5};
  config.grade->rules = {rule_of("correct"), some};
  EXPECT_TRUE(check_rules(config));
  config.grade->rules.push_back(again);
  EXPECT_EQ(check_rules(config).error().message,
            "a.yaml:3:5: rules \"r\" and \"again\" give points for the same cases; keep one, or separate them with "
            "\"where\"");
}

TEST(CheckRules, NamesOfDiagnostics) {
  Config config;
  config.grade.emplace();
  config.grade->rules = {rule_of("clean")};
  config.grade->rules[0].without = {{"race_share"}};
  config.grade->rules[0].position = {"a.yaml", 3, 5};
  const Done done = check_rules(config);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().message,
            "a.yaml:3:5: rule \"r\": unknown diagnostic \"race_share\" (did you mean \"race_shared\"?)");
}

}  // namespace
}  // namespace harness
