#include "harness/claims/answer.h"

#include <gtest/gtest.h>

#include <deque>

namespace harness {
namespace {

/// Cases of two variants, and claims about them.
class Answers : public testing::Test {
 protected:
  static Claim claim(const std::string& sentence) {
    const auto config = parse_config(
        "lab: a\nkernel: gemm\nsweeps:\n"
        "  - {name: s, variants: [slow, fast], axes: {size: [1, 2, 4, 8], BLOCK: {fast: [8, 16]}}}\n"
        "  - {name: t, variants: [slow], axes: {size: [1, 2, 4, 8]}}\n"
        "claims: [{claim: " +
            sentence + ", sweep: s, source: report}]\n",
        "a.yaml");
    EXPECT_TRUE(config) << config.error().message;
    return config ? config->claims.at(0) : Claim{};
  }

  /// A case whose time lies within 1 % of `ms`; `half` is the relative half width of its interval.
  CaseRecord& add(const std::string& variant, int64_t size, double ms, double half = 0.01) {
    CaseRecord& record = cases_.emplace_back();
    record.sweep = "s";
    record.variant = variant;
    record.axes = {{"size", size}};
    record.parameters = record.axes;
    record.status = Status::PASSED;
    record.samples_ms = {ms * (1 - half), ms, ms, ms, ms, ms * (1 + half)};
    record.metrics.emplace_back(MetricName::kernel_ms, Metric{ms, ms * (1 - half), ms * (1 + half), 6});
    return record;
  }
  CaseRecord& add_block(int64_t size, int64_t block, double ms, double half = 0.01) {
    CaseRecord& record = add("fast", size, ms, half);
    record.axes.emplace_back("BLOCK", block);
    return record;
  }

  AnsweredClaim ask(const std::string& sentence) const {
    std::vector<const CaseRecord*> all;
    for (const CaseRecord& record : cases_) all.push_back(&record);
    return answer(claim(sentence), figures_of(all));
  }
  /// "HOLDS: ratio 2 (1.96 to 2.04)"
  std::string asked(const std::string& sentence) const {
    const AnsweredClaim found = ask(sentence);
    return std::string(to_string(found.answer)) + ": " + found.why;
  }

  std::deque<CaseRecord> cases_;
};

TEST_F(Answers, AComparisonIsDecidedWhenTheIntervalOfTheRatioIsOnOneSide) {
  add("slow", 1, 4);
  add_block(1, 8, 2);
  EXPECT_EQ(asked("fast faster than slow"), "HOLDS: ratio 2 (1.96 to 2.04)");
  EXPECT_EQ(asked("slow faster than fast"), "FAILS: ratio 0.5 (0.4901 to 0.5101)");
  add("slow", 2, 4, 0.3);
  add_block(2, 8, 3.9, 0.3);
  EXPECT_EQ(asked("fast faster than slow where size = 2").substr(0, 22), "UNDECIDED: ratio 1.026");
}

TEST_F(Answers, TimesThatTheClockOfAGpuDoesNotTellApartDecideNothing) {
  const auto on_gpu = [&](double slow_ms, double fast_ms, bool same_problem) {
    cases_.clear();
    CaseRecord &slow = add("slow", 1, slow_ms, 0), &fast = add_block(1, 8, fast_ms, 0);
    for (CaseRecord* record : {&slow, &fast}) {
      record->device = Device::gpu;
      record->rounds = {1, 2, 3, 4, 5, 6};
    }
    if (!same_problem) fast.parameters = {{"size", int64_t{2}}};
    return ask("fast faster than slow").answer;
  };
  for (const bool same_problem : {true, false}) {
    EXPECT_EQ(on_gpu(0.0129, 0.0120, same_problem), ClaimAnswer::UNDECIDED);
    EXPECT_EQ(on_gpu(0.0132, 0.0120, same_problem), ClaimAnswer::HOLDS);
    EXPECT_EQ(on_gpu(1.2, 1.198, same_problem), ClaimAnswer::HOLDS);
  }
}

TEST_F(Answers, LargeRatiosHaveNoExponent) {
  add("slow", 1, 34760);
  add_block(1, 8, 2, 0);
  EXPECT_EQ(asked("fast faster than slow"), "HOLDS: ratio 17,380 (17,210 to 17,550)");
}

TEST_F(Answers, RangesOfARatio) {
  add("slow", 1, 4);
  add_block(1, 8, 2);
  for (const char* holds : {"between 1.9 and 2.1", "at least 1.9", "at most 2.1", "above 1.9", "below 2.1"})
    EXPECT_EQ(ask(std::string("time of slow over fast ") + holds).answer, ClaimAnswer::HOLDS) << holds;
  for (const char* fails : {"between 2.1 and 3", "between 1 and 1.9", "at least 2.1", "at most 1.9"})
    EXPECT_EQ(ask(std::string("time of slow over fast ") + fails).answer, ClaimAnswer::FAILS) << fails;
  for (const char* open : {"between 2 and 3", "at least 2", "at most 2", "above 2"})
    EXPECT_EQ(ask(std::string("time of slow over fast ") + open).answer, ClaimAnswer::UNDECIDED) << open;
  EXPECT_EQ(ask("time of slow equal to fast within 50 %").answer, ClaimAnswer::FAILS);
  EXPECT_EQ(ask("time of fast equal to slow within 60 %").answer, ClaimAnswer::HOLDS);
}

TEST_F(Answers, PairedSamplesAreCloserThanTheirMedians) {
  CaseRecord &slow = add("slow", 1, 4), &fast = add_block(1, 8, 2);
  for (int i = 0; i < 12; ++i) {
    slow.rounds.push_back(i);
    fast.rounds.push_back(i);
  }
  slow.samples_ms = {4, 8, 4, 8, 4, 8, 4, 8, 4, 8, 4, 8};
  fast.samples_ms = {3.9, 7.8, 3.9, 7.8, 3.9, 7.8, 3.9, 7.8, 3.9, 7.8, 3.9, 7.8};
  slow.metrics = {{MetricName::kernel_ms, Metric{6, 4, 8, 12}}};
  fast.metrics = {{MetricName::kernel_ms, Metric{5.85, 3.9, 7.8, 12}}};
  EXPECT_EQ(asked("fast faster than slow"), "HOLDS: ratio 1.026");
  fast.parameters = {{"size", int64_t{2}}};  // timed in another group, although the rounds have the same numbers
  EXPECT_EQ(asked("fast faster than slow").substr(0, 22), "UNDECIDED: ratio 1.026");
}

TEST_F(Answers, OnePointThatFailsDecides) {
  for (const int64_t size : {1, 2, 4}) {
    add("slow", size, 4);
    add_block(size, 8, size == 4 ? 5 : 2);
  }
  EXPECT_EQ(asked("fast faster than slow"), "FAILS: ratio 0.8 (0.7842 to 0.8162) at size=4; fails at 1 of 3 points");
  EXPECT_EQ(asked("fast faster than slow where size <= 2"),
            "HOLDS: ratio from 2 (1.96 to 2.04) at size=1 to 2 (1.96 to 2.04) at size=2; 2 points");
  EXPECT_EQ(ask("fast faster than slow").points.size(), 3u);
}

TEST_F(Answers, OnlyCasesWithTheSameAxesAreCompared) {
  add("slow", 1, 4);
  add("slow", 2, 8);
  add_block(1, 8, 2);
  add_block(1, 16, 1);
  EXPECT_EQ(ask("fast faster than slow").points.size(), 2u);
  EXPECT_EQ(ask("time of fast BLOCK=8 over fast BLOCK=16 at least 1.9").answer, ClaimAnswer::HOLDS);
  EXPECT_EQ(asked("fast faster than slow where size = 2"), "UNDECIDED: no case of fast is selected");
  EXPECT_EQ(asked("time of slow rises along size where size = 2"),
            "UNDECIDED: fewer than two values of size are selected");
}

TEST_F(Answers, PointsAreToldApartByWhatEitherItemLeavesOpen) {
  add_block(1, 8, 4);
  add_block(1, 16, 2);
  add_block(1, 32, 1);
  for (const char* sentence : {"time of fast BLOCK=8 over fast above 1", "time of fast over fast BLOCK=8 below 1"}) {
    const AnsweredClaim found = ask(sentence);
    ASSERT_EQ(found.points.size(), 2u) << sentence;
    EXPECT_EQ(found.points[0].at, "BLOCK=16") << sentence;
    EXPECT_EQ(found.points[1].at, "BLOCK=32") << sentence;
  }
}

TEST_F(Answers, ACaseThatDidNotPassDecidesNothing) {
  add("slow", 1, 4);
  CaseRecord& fast = add_block(1, 8, 2);
  fast.status = Status::WRONG;
  fast.reason = "the last row";
  EXPECT_EQ(asked("fast faster than slow"), "UNDECIDED: fast size=1 BLOCK=8 is WRONG: the last row");
  fast.status = Status::PASSED;
  fast.metrics.clear();
  EXPECT_EQ(asked("fast faster than slow"), "UNDECIDED: fast size=1 BLOCK=8 has no kernel_ms");
  fast.metrics.emplace_back(MetricName::kernel_ms, Metric{2});
  fast.samples_ms = {2};
  EXPECT_EQ(asked("fast faster than slow"), "UNDECIDED: ratio 2; there is no interval: too few samples");
}

TEST_F(Answers, MonotoneAlongAnAxis) {
  add("slow", 4, 9);  // in any order
  add("slow", 1, 1);
  add("slow", 2, 3);
  EXPECT_EQ(ask("time of slow rises along size").answer, ClaimAnswer::HOLDS);
  EXPECT_EQ(asked("time of slow falls along size"),
            "FAILS: ratio of neighbours 3 (2.941 to 3.061) at size=1 to 2; fails at 2 of 2 points");
  add("slow", 8, 9);
  EXPECT_EQ(asked("time of slow rises along size"),
            "UNDECIDED: ratio of neighbours 1 (0.9802 to 1.02) at size=4 to 8; undecided at 1 of 3 points");
}

TEST_F(Answers, FlatAlongAnAxis) {
  add("slow", 1, 100, 0.001);
  add("slow", 2, 104, 0.001);
  add("slow", 4, 110, 0.001);
  EXPECT_EQ(ask("time of slow flat along size within 6 %").answer, ClaimAnswer::HOLDS);  // 1.06 / 0.94 = 1.128
  EXPECT_EQ(asked("time of slow flat along size within 4 %"),
            "FAILS: largest over smallest 1.1 (1.098 to 1.102) at size=4 over 1");
  add("slow", 8, 1).status = Status::CRASHED;
  EXPECT_EQ(ask("time of slow flat along size within 6 %").answer, ClaimAnswer::UNDECIDED);
  EXPECT_EQ(ask("time of slow flat along size within 4 %").answer, ClaimAnswer::FAILS) << "whatever the last one is";
}

TEST_F(Answers, LowestInsideOfARange) {
  for (const auto& [size, ms] : {std::pair{1, 4.0}, {2, 2.0}, {4, 2.01}, {8, 5.0}}) add("slow", size, ms);
  EXPECT_EQ(asked("time of slow lowest at size between 2 and 4"),
            "HOLDS: best outside over best inside 2 (1.96 to 2.04) at size=1 over 2");
  EXPECT_EQ(ask("time of slow lowest at size = 2").answer, ClaimAnswer::UNDECIDED) << "4 is as fast";
  EXPECT_EQ(ask("time of slow lowest at size at least 4").answer, ClaimAnswer::UNDECIDED);
  EXPECT_EQ(ask("time of slow lowest at size = 8").answer, ClaimAnswer::FAILS);
  EXPECT_EQ(ask("time of slow highest at size = 8").answer, ClaimAnswer::HOLDS);
  EXPECT_EQ(asked("time of slow lowest at size between 1 and 8"),
            "UNDECIDED: values of size inside and outside of the range are needed");
}

TEST_F(Answers, GrowthIsTheSlopeOfTheLogarithms) {
  for (const int64_t size : {1, 2, 4, 8}) add("slow", size, static_cast<double>(size * size * size));
  EXPECT_EQ(asked("time of slow grows along size with exponent between 2.9 and 3.1"),
            "HOLDS: exponent 3 (2.988 to 3.012) at size=1 to 8");
  EXPECT_EQ(ask("time of slow grows along size with exponent below 2.9").answer, ClaimAnswer::FAILS);
  EXPECT_EQ(ask("time of slow grows along size with exponent below 3").answer, ClaimAnswer::UNDECIDED);
}

TEST_F(Answers, TheEndOfACurve) {
  for (const auto& [size, rate] : {std::pair{1, 100.0}, {2, 300.0}, {4, 200.0}})
    add("slow", size, 1).metrics.emplace_back(MetricName::gflops, Metric{rate, rate * 0.99, rate * 1.01, 6});
  EXPECT_EQ(asked("gflops of slow last over highest along size between 0.6 and 0.7"),
            "HOLDS: last over highest 0.6667 (0.6535 to 0.6801) at size=4 over 2");
  EXPECT_EQ(ask("gflops of slow last over highest along size at least 1").answer, ClaimAnswer::FAILS);
  EXPECT_EQ(asked("gflops of slow at least 99 where size <= 2"),
            "HOLDS: gflops from 100 (99 to 101) at size=1 to 300 (297 to 303) at size=2; 2 points");
}

TEST_F(Answers, ADipIsBelowBothNeighbours) {
  const auto add_rate = [&](int64_t size, double rate) {
    add("slow", size, 1).metrics.emplace_back(MetricName::gflops, Metric{rate, rate * 0.99, rate * 1.01, 6});
  };
  add_rate(1, 100);
  add_rate(2, 80);
  EXPECT_EQ(asked("gflops of slow dips along size within 10 %"), "UNDECIDED: fewer than three values of size are selected");
  add_rate(3, 70);
  EXPECT_EQ(asked("gflops of slow dips along size within 10 %"),
            "HOLDS: value over the smaller neighbour 1.143 (1.12 to 1.166) at size=2 over 3")
      << "a step is no dip";
  for (const auto& [size, rate] : {std::pair{4, 100.0}, {5, 50.0}, {6, 90.0}}) add_rate(size, rate);
  EXPECT_EQ(asked("gflops of slow dips along size within 10 %"),
            "FAILS: value over the smaller neighbour 0.875 (0.8577 to 0.8927) at size=3 over 2; fails at 2 of 4 points; "
            "also at size=5 over 6");
}

TEST_F(Answers, ADipBesideACaseWithoutANumberIsUndecided) {
  const auto add_rate = [&](int64_t size, double rate) -> CaseRecord& {
    CaseRecord& record = add("slow", size, 1);
    record.metrics.emplace_back(MetricName::gflops, Metric{rate, rate * 0.99, rate * 1.01, 6});
    return record;
  };
  CaseRecord& first = add_rate(1, 100);
  add_rate(2, 50);
  CaseRecord& last = add_rate(3, 90);
  for (CaseRecord* record : {&first, &last}) {
    record->status = Status::CRASHED;
    EXPECT_EQ(asked("gflops of slow dips along size within 10 %"),
              record == &first ? "UNDECIDED: slow size=1 is CRASHED" : "UNDECIDED: slow size=3 is CRASHED");
    record->status = Status::PASSED;
  }
  EXPECT_EQ(ask("gflops of slow dips along size within 10 %").answer, ClaimAnswer::FAILS);
}

TEST_F(Answers, AnEndThatIsTheHighestMayStillBeBelowAnother) {
  for (const auto& [variant, rate, half] : {std::tuple{"slow", 300.0, 20.0}, {"fast", 400.0, 1.0}}) {
    add(variant, 1, 1).metrics.emplace_back(MetricName::gflops, Metric{290, 285, 295, 6});
    add(variant, 2, 1).metrics.emplace_back(MetricName::gflops, Metric{rate, rate - half, rate + half, 6});
  }
  EXPECT_EQ(ask("gflops of slow last over highest along size at least 1").answer, ClaimAnswer::UNDECIDED);
  EXPECT_EQ(ask("gflops of fast last over highest along size at least 1").answer, ClaimAnswer::HOLDS);
}

TEST_F(Answers, AnEndOfFewSamplesDecidesNothing) {
  for (const auto& [size, rate] : {std::pair{1, 200.0}, {2, 300.0}})
    add("slow", size, 1).metrics.emplace_back(MetricName::gflops, Metric{rate, std::nullopt, std::nullopt, 1});
  EXPECT_EQ(ask("gflops of slow last over highest along size at least 1").answer, ClaimAnswer::UNDECIDED);
}

TEST_F(Answers, PublishedFiguresAreTheirOwnIntervals) {
  Config config;
  config.sweeps.emplace_back().name = "s";
  config.claims = {claim("time of slow over fast between 2 and 3"), claim("total_ms of fast < slow")};
  const auto row = [](const char* variant, double ms, const char* dtype = "f32") {
    return PublishedRow{variant, dtype, {{"size", int64_t{1}}}, {{"kernel_ms", ms}}};
  };
  const std::vector<PublishedFile> files = {{"a.csv", "laptop", "s", "", {row("slow", 4), row("slow", 9, "f64")}},
                                            {"b.csv", "laptop", "s", "", {row("fast", 2)}},
                                            {"c.csv", "cluster", "s", "", {row("slow", 7), row("fast", 2)}}};
  const auto answered = answer_claims(config, {}, files);
  ASSERT_EQ(answered.size(), 2u);
  EXPECT_EQ(answered[0].measured.answer, ClaimAnswer::UNDECIDED);
  ASSERT_EQ(answered[0].published.size(), 2u) << "two files of one machine belong together";
  EXPECT_EQ(answered[0].published[0].machine, "laptop");
  EXPECT_EQ(answered[0].published[0].answer, ClaimAnswer::HOLDS) << "2 belongs to the range";
  EXPECT_EQ(answered[0].published[0].why, "ratio 2");
  EXPECT_EQ(answered[0].published[1].answer, ClaimAnswer::FAILS);
  EXPECT_TRUE(answered[1].published.empty()) << "there is no published total_ms";
}

TEST_F(Answers, ACaseThatWasLeftOutLeavesAClaimUndecidedThatItCouldRefute) {
  add("slow", 2, 4);
  Case left_out;
  left_out.sweep = "s";
  left_out.variant = "slow";
  left_out.axes = {{"size", int64_t{4}}};
  const auto doubted = [&](const std::string& sentence) {
    const Claim asked = claim(sentence);
    std::vector<ClaimRecord> records(1);
    records[0].measured = ask(sentence);
    doubt(records, {asked}, {&cases_[0]}, {left_out});
    return std::string(to_string(records[0].measured.answer)) + ": " + records[0].measured.why;
  };
  EXPECT_EQ(doubted("time of slow at most 9"),
            "UNDECIDED: a case that it compares was left out: slow size=4 has not run; undecided at 1 of 2 points");
  EXPECT_EQ(doubted("time of slow at most 9 where size = 2").substr(0, 5), "HOLDS") << "it is not about that case";
  EXPECT_EQ(doubted("time of slow at most 1").substr(0, 5), "FAILS");
}

}  // namespace
}  // namespace harness
