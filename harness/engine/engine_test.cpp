#include <gtest/gtest.h>

#include "harness/engine/budget.h"
#include "harness/engine/limits.h"
#include "harness/engine/metrics.h"
#include "harness/kernel/test_kernel.h"

namespace harness {
namespace {

TEST(Budget, WithoutOneEveryCaseGetsItsMaximum) { EXPECT_EQ(Budget(std::nullopt).per_case_s(15, {3, 1e6}), 15); }

TEST(Budget, SharesWhatTheNeededTimeLeaves) {
  const Budget budget(100);
  EXPECT_NEAR(budget.per_case_s(15, {10, 40}), 5, 0.1);
  EXPECT_EQ(budget.per_case_s(15, {1, 0}), 15);
  EXPECT_EQ(budget.per_case_s(15, {10, 1e6}), 0.1);  // enough for a few samples
}

TEST(Budget, WaitingForAnotherRunDoesNotCount) {
  Budget budget(100);
  budget.add_wait(50);
  EXPECT_NEAR(budget.per_case_s(1000, {10, 40}), 10, 0.1);
}

TEST(Budget, ASlowVariantOfASubmissionReservesNoMoreThanItsShare) {
  const VariantInfo lab{.name = "lab"}, submitted{.name = "submitted", .from_submission = true};
  Cases cases;
  for (const VariantInfo* variant : {&lab, &submitted}) {
    cases.builds.push_back(std::make_unique<Build>());
    cases.builds.back()->variant = variant;
    cases.builds.back()->note_speed(1, 1);
    cases.all.emplace_back().build = cases.builds.back().get();
  }
  cases.all[1].record.flops = 1e6;
  EXPECT_NEAR(Budget(100).per_case_s(50, remaining({}, cases)), 22.5, 0.1);
  std::swap(cases.all[0].record.flops, cases.all[1].record.flops);
  EXPECT_EQ(Budget(100).per_case_s(50, remaining({}, cases)), 0.1);  // nobody makes the lab's own variants slow
}

TEST(Budget, IsNotTooShortForNothing) { EXPECT_EQ(Budget(0.0).too_short(PlacedLab{}, Cases{}), std::nullopt); }

TEST(ShareOfTheLimit, AtTheClock) {
  CaseRecord record;
  record.gpu = "GPU-1";
  Metric share;
  share.median = 60;
  share.low = 57;
  share.high = 63;
  share.limit = "fma_f64";
  record.metrics = {{MetricName::percent_of_limit, share}, {MetricName::sm_clock_mhz, metric_of({1320, 1320, 1320})}};
  Machine machine;
  GpuInfo gpu;
  gpu.uuid = "GPU-1";
  gpu.details = std::make_shared<const nlohmann::json>(nlohmann::json{{"clocks_max_sm_mhz", 1980.0}});
  machine.gpus = {gpu};
  derive_share_at_clock(machine, record);
  const Metric* at_clock = record.find(MetricName::percent_of_limit_at_clock);
  ASSERT_TRUE(at_clock);
  EXPECT_DOUBLE_EQ(at_clock->median, 90);
  EXPECT_DOUBLE_EQ(*at_clock->low, 85.5);

  record.metrics.pop_back();
  record.metrics.front().second.limit = "copy";  // memory has a clock of its own
  derive_share_at_clock(machine, record);
  EXPECT_FALSE(record.find(MetricName::percent_of_limit_at_clock));
}

class Metrics : public testing::Test {
 protected:
  CaseState with_samples(std::vector<double> ms, const std::string& variant = "v") {
    CaseState s;
    s.plan = &plan_;
    s.record.variant = variant;
    s.evidence.finished = true;
    s.record.device = Device::cpu;
    s.record.flops = problem_->flops();
    s.record.bytes = 1e6;
    for (size_t i = 0; i < ms.size(); ++i) s.record.rounds.push_back(static_cast<int>(i));
    s.record.samples_ms = std::move(ms);
    return s;
  }
  static double median(const CaseState& s, MetricName name) {
    for (const auto& [n, m] : s.record.metrics)
      if (n == name) return m.median;
    return -1;
  }
  MachineLimits limits_;
  std::shared_ptr<TestProblem> problem_ = std::make_shared<TestProblem>(Dtype::f32, Axes{});
  Case plan_{.problem = problem_};
};

TEST_F(Metrics, RatesComeFromTheMedianTime) {
  CaseState s = with_samples({2, 2, 2, 2, 2, 2, 2});
  derive_metrics(limits_, s);
  EXPECT_EQ(median(s, MetricName::kernel_ms), 2);
  EXPECT_EQ(median(s, MetricName::gflops), 500);
  EXPECT_EQ(decide(s.evidence).status, Status::PASSED);
}

TEST_F(Metrics, FasterThanTheMachineIsSuspect) {
  limits_.all = {{"fma_f32", "cpu", 1, 1e11, "", true}};
  CaseState s = with_samples({2, 2, 2, 2, 2, 2});
  derive_metrics(limits_, s);
  EXPECT_EQ(beaten_limit(limits_, s), &limits_.all.front());
  ASSERT_TRUE(s.evidence.beaten);
  EXPECT_EQ(s.evidence.beaten->limit, "fma_f32");
  EXPECT_EQ(s.evidence.beaten->time_ms, 2);
  EXPECT_EQ(s.evidence.beaten->least_ms, 10);
}

TEST_F(Metrics, OneThatIsFasterThanABusyMachineMeasuredIsNot) {
  limits_.all = {{"fma_f32", "cpu", 1, 1e9 / 3e-3, "", false}};
  CaseState s = with_samples({2, 2, 2, 2, 2, 2});
  EXPECT_EQ(beaten_limit(limits_, s), nullptr);
  limits_.all.front().quiet = true;
  EXPECT_NE(beaten_limit(limits_, s), nullptr);
}

TEST_F(Metrics, AShortCallIsSuspectOnlyIfItsOverheadCannotExplainIt) {
  limits_.all = {{"fma_f32", "cpu", 1, 1e11, "", true}};
  CaseState s = with_samples({2, 2, 2, 2, 2, 2});
  s.record.notes = {{NoteCode::short_call, {{"overhead_ms", 8.0}}}};
  EXPECT_EQ(beaten_limit(limits_, s), nullptr);
  s.record.notes.front().arguments.front().second = 1.0;
  EXPECT_NE(beaten_limit(limits_, s), nullptr);
}

TEST_F(Metrics, TheMemoryLimitCountsBeyondTheCaches) {
  constexpr int64_t mib = 1 << 20;
  limits_.all = {{"copy", "GPU-1", 1, 1e12, "", true}};
  const auto beaten_with = [&](int64_t mib_moved) {
    CaseState s = with_samples({0.1, 0.1, 0.1, 0.1, 0.1, 0.1});  // 100 MB at that rate
    s.record.device = Device::gpu;
    s.record.gpu = "GPU-1";
    s.record.bytes = static_cast<double>(mib_moved * mib);
    return beaten_limit(limits_, s) != nullptr;
  };
  EXPECT_FALSE(beaten_with(256)) << "a GPU may have a cache that its driver does not report";
  EXPECT_TRUE(beaten_with(257));
  limits_.gpu_cache_bytes = 126 * mib;
  EXPECT_FALSE(beaten_with(504));
  EXPECT_TRUE(beaten_with(505));
}

TEST_F(Metrics, ADeclaredPrecisionHasALimitOfItsOwnAndNoShare) {
  limits_.all = {{"fma_f32", "cpu", 1, 1e12, "", true}};
  CaseState s = with_samples({2, 2, 2, 2, 2, 2});
  derive_metrics(limits_, s);
  EXPECT_EQ(median(s, MetricName::percent_of_limit), 50);
  Build build;
  build.precision = *find_precision("normwise", Dtype::f32);
  CaseState fewer_products = with_samples({2, 2, 2, 2, 2, 2});
  fewer_products.build = &build;
  derive_metrics(limits_, fewer_products);
  EXPECT_EQ(median(fewer_products, MetricName::percent_of_limit), -1);
  limits_.all.front().value = 1e9 / 8e-3;
  EXPECT_EQ(beaten_limit(limits_, fewer_products), nullptr) << "a quarter of the products";
  limits_.all.front().value = 1e9 / 9e-3;
  EXPECT_NE(beaten_limit(limits_, fewer_products), nullptr) << "and no less than that";
}

TEST_F(Metrics, ACpuWithoutMatrixUnitsIsNotMuchFasterWithShortNumbers) {
  limits_.all = {{"fma_f32", "cpu", 1, 1e9 / 16e-3, "", true}};
  Build build;
  build.precision = *find_precision("tf32", Dtype::f32);
  CaseState s = with_samples({2, 2, 2, 2, 2, 2});
  s.build = &build;
  EXPECT_EQ(beaten_limit(limits_, s), nullptr) << "with matrix units";
  CpuInfo cpu;
  cpu.features = {"amx_tile", "sse2"};
  EXPECT_EQ(most_faster(cpu), limits_.cpu_faster);
  cpu.features = {"asimd"};
  EXPECT_EQ(most_faster(cpu), limits_.cpu_faster) << "an Arm processor may have matrix units that have no flag here";
  cpu.features = {"avx512f", "sse2"};
  limits_.cpu_faster = most_faster(cpu);
  EXPECT_NE(beaten_limit(limits_, s), nullptr);
  limits_.all.front().value = 1e9 / 4e-3;
  EXPECT_EQ(beaten_limit(limits_, s), nullptr);
}

TEST_F(Metrics, TheLimitIsAboutTheOperationsThatMustBeDone) {
  limits_.all = {{"fma_f32", "cpu", 1, 1e9 / 9e-3, "", true}};
  CaseState s = with_samples({2, 2, 2, 2, 2, 2});
  problem_->least = 0.2e9;  // most of the filter lies outside of the image
  derive_metrics(limits_, s);
  EXPECT_FALSE(s.evidence.beaten);
  EXPECT_EQ(median(s, MetricName::gflops), 500);
  EXPECT_EQ(median(s, MetricName::percent_of_limit), -1) << "450 % would not help anybody";
}

TEST_F(Metrics, FewSamplesAreSaid) {
  CaseState s = with_samples({2, 2});
  derive_metrics(limits_, s);
  EXPECT_EQ(s.record.notes, (std::vector<Note>{{NoteCode::few_samples, {{"samples", int64_t{2}}}}}));
}

TEST_F(Metrics, TotalTimeIsCopiesAndOneCall) {
  CaseState s = with_samples({2, 2, 2, 2, 2, 2, 2});
  s.record.metrics = {{MetricName::alloc_ms, {50}}, {MetricName::h2d_ms, {5}}, {MetricName::d2h_ms, {3}}};
  derive_metrics(limits_, s);
  EXPECT_EQ(median(s, MetricName::total_ms), 10);
  EXPECT_EQ(median(s, MetricName::gflops_total), 100);
  EXPECT_EQ(s.record.find(MetricName::total_ms)->low, std::nullopt) << "the copies have no interval";
}

TEST_F(Metrics, TotalTimeHasAnIntervalIfItsPartsHave) {
  CaseState s = with_samples({2, 2, 2, 2, 2, 2, 2});
  s.record.metrics = {{MetricName::h2d_ms, metric_of({4, 5, 5, 5, 5, 6})},
                      {MetricName::d2h_ms, metric_of({3, 3, 3, 3, 3, 4})}};
  derive_metrics(limits_, s);
  const Metric* total = s.record.find(MetricName::total_ms);
  EXPECT_EQ(total->low, 9);
  EXPECT_EQ(total->high, 12);
  EXPECT_EQ(total->n, 6);
}

}  // namespace
}  // namespace harness
