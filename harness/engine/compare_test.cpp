#include "harness/engine/compare.h"

#include <gtest/gtest.h>

#include "harness/engine/occupancy.h"
#include "harness/tables/recorded_baseline.h"

namespace harness {
namespace {

CaseState timed(const std::string& variant, std::vector<double> ms) {
  CaseState s;
  s.record.variant = variant;
  s.record.device = Device::cpu;
  s.record.sweep = "sizes";
  s.record.axes = {{"size", int64_t{100}}};
  for (size_t i = 0; i < ms.size(); ++i) s.record.rounds.push_back(static_cast<int>(i));
  s.record.metrics.emplace_back(MetricName::kernel_ms, Metric{ms[0], ms[0], ms[0], static_cast<int>(ms.size())});
  s.record.samples_ms = std::move(ms);
  return s;
}

CaseState on_gpu(CaseState s, double total_ms) {
  s.record.device = Device::gpu;
  s.record.metrics.emplace_back(MetricName::total_ms, Metric{total_ms, {}, {}, 1});
  return s;
}

double median(const CaseState& s, MetricName name) {
  const Metric* metric = s.record.find(name);
  return metric ? metric->median : -1;
}

TEST(Speedup, IsPairedByRound) {
  CaseState base = timed("base", {4, 8, 4, 8, 4, 8, 4, 8}), fast = timed("v", {2, 4, 2, 4, 2, 4, 2, 4});
  derive_speedups("base", {&base, &fast});
  EXPECT_DOUBLE_EQ(median(fast, MetricName::speedup), 2);
  EXPECT_EQ(median(base, MetricName::speedup), -1);
  EXPECT_EQ(fast.record.find(MetricName::speedup)->paired, true);
}

TEST(Speedup, OverAnotherDeviceIsUnpairedAndHasAnInterval) {
  CaseState base = timed("base", {40, 40, 40, 40, 40, 42, 42, 42}),
            gpu = on_gpu(timed("v", {2, 2, 2, 2, 2, 2, 2, 2}), 8);
  derive_speedups("base", {&gpu}, &base);
  const Metric* speedup = gpu.record.find(MetricName::speedup);
  ASSERT_NE(speedup, nullptr);
  EXPECT_DOUBLE_EQ(speedup->median, 20);
  EXPECT_EQ(speedup->paired, false);
  EXPECT_EQ(speedup->over, "base");
  EXPECT_EQ(speedup->low, 20.0);
  EXPECT_DOUBLE_EQ(*speedup->high, 21 / (1 - 0.0005)) << "the clock of a GPU tells 2 ms from 2.001 ms";
  EXPECT_DOUBLE_EQ(median(gpu, MetricName::speedup_total), 5) << "40 ms on the CPU, 8 ms with copies";
}

TEST(VendorShare, IsRelativeToTheFirstOneInTheGroup) {
  CaseState vendor = timed("gpu_cublas", {2, 2, 2, 2, 2, 2}), mine = timed("v", {8, 8, 8, 8, 8, 8});
  derive_vendor_share({"cpu_openblas", "gpu_cublas"}, {&vendor, &mine});
  EXPECT_DOUBLE_EQ(median(mine, MetricName::percent_of_vendor), 25);
  EXPECT_EQ(mine.record.find(MetricName::percent_of_vendor)->over, "gpu_cublas");
  EXPECT_EQ(median(vendor, MetricName::percent_of_vendor), -1);
}

TEST(VendorShare, IsRelativeToALibraryOfTheSamePrecision) {
  CaseState f32 = timed("gpu_cublas", {4, 4, 4, 4, 4, 4}), tf32 = timed("gpu_cublas_tf32", {1, 1, 1, 1, 1, 1}),
            mine = timed("gpu_wmma", {2, 2, 2, 2, 2, 2}), other = timed("gpu_fp16", {2, 2, 2, 2, 2, 2});
  const VariantInfo exact{.name = "x"}, rounded{.name = "x", .precision = "tf32"},
      coarse{.name = "x", .precision = "fp16"};
  Build builds[] = {{.variant = &exact}, {.variant = &rounded}, {.variant = &coarse}};
  f32.build = &builds[0];
  tf32.build = mine.build = &builds[1];
  other.build = &builds[2];
  derive_vendor_share({"gpu_cublas", "gpu_cublas_tf32"}, {&f32, &tf32, &mine, &other});
  EXPECT_DOUBLE_EQ(median(mine, MetricName::percent_of_vendor), 50);
  EXPECT_EQ(mine.record.find(MetricName::percent_of_vendor)->over, "gpu_cublas_tf32");
  EXPECT_EQ(median(f32, MetricName::percent_of_vendor), -1);
  EXPECT_EQ(median(tf32, MetricName::percent_of_vendor), -1) << "the library of its precision is itself";
  EXPECT_EQ(median(other, MetricName::percent_of_vendor), -1) << "no library has its precision";
}

TEST(Comparisons, AreForgotten) {
  CaseState s = timed("v", {2});
  s.record.metrics.emplace_back(MetricName::speedup, Metric{2});
  s.record.metrics.emplace_back(MetricName::efficiency, Metric{2});
  s.record.notes = {{NoteCode::few_samples}, {NoteCode::efficiency_over_one}, {NoteCode::no_recorded_time}};
  forget_comparisons(s.record);
  EXPECT_EQ(s.record.metrics.size(), 1u);
  EXPECT_EQ(s.record.notes, std::vector<Note>{{NoteCode::few_samples}});
}

const RecordedBaseline spec{
    .file = "t.csv", .axes = {{"n", "size"}}, .value = "time_s", .to_ms = 1e3, .source = "a lab"};

std::string recorded_baseline_error(const std::string& text) {
  const auto table = RecordedTable::parse(text, spec);
  return table ? "no error" : table.error().message;
}

TEST(RecordedTable, GivesSpeedupsOverTotalTime) {
  const auto table = RecordedTable::parse("dtype,n,time_s\nf32,100,0.08\nf64,100,7\nf32,200,1\n", spec);
  ASSERT_TRUE(table) << table.error().message;
  CaseState s = on_gpu(timed("v", {2}), 8);
  derive_recorded_speedup(*table, s.record);
  EXPECT_DOUBLE_EQ(median(s, MetricName::speedup_recorded), 10);
  EXPECT_EQ(s.record.find(MetricName::speedup_recorded)->over, "t.csv");
  EXPECT_EQ(s.record.find(MetricName::speedup_recorded)->source, "a lab");
}

TEST(RecordedTable, NeverInterpolates) {
  const auto table = RecordedTable::parse("n,time_s\n64,1\n128,2\n", spec);
  ASSERT_TRUE(table) << table.error().message;
  Build build;
  std::vector<CaseState> cases = {on_gpu(timed("v", {2}), 8), on_gpu(timed("w", {2}), 8)};
  for (CaseState& s : cases) s.build = &build;
  derive_recorded_speedup(*table, cases[0].record);
  EXPECT_EQ(median(cases[0], MetricName::speedup_recorded), -1);
  note_missing(*table, cases);
  ASSERT_EQ(cases[0].record.notes.size(), 1u);
  EXPECT_EQ(to_string(cases[0].record.notes[0]),
            "the recorded baseline t.csv has no row for size=100: there is no speedup over it, because nothing is "
            "interpolated");
  EXPECT_TRUE(cases[1].record.notes.empty()) << "said once";
}

TEST(RecordedTable, MistakesAreToldWithTheirLine) {
  EXPECT_EQ(recorded_baseline_error("n,times\n1,2\n"), "t.csv:1: no column \"time_s\" (did you mean \"times\"?)");
  EXPECT_EQ(recorded_baseline_error("m,time_s\n1,2\n"), "t.csv:1: no column \"n\" (did you mean \"m\"?)");
  EXPECT_EQ(recorded_baseline_error("n,time_s\n1,2\n2,fast\n"),
            "t.csv:3: \"fast\" in column \"time_s\" is not a number");
  EXPECT_EQ(recorded_baseline_error("n,time_s\n1,0\n"),
            "t.csv:2: \"0\" in column \"time_s\" is no time; it must be more than 0");
  EXPECT_EQ(recorded_baseline_error("n,time_s\n1,2\n1,3\n"),
            "t.csv:3: a second row for size=1 (the first is on line 2); keep one");
  EXPECT_EQ(recorded_baseline_error("n,time_s\n1,2,3\n"), "t.csv:2: 3 fields where the first line has 2");
  EXPECT_EQ(recorded_baseline_error("n,time_s\n"), "t.csv: has no rows");
}

// 108 multiprocessors of 2048 threads, 64 warps of 32 each.
const lab_device_info device = [] {
  lab_device_info info = {};
  info.multiprocessors = 108;
  info.warp_size = 32;
  info.max_threads_per_multiprocessor = 2048;
  return info;
}();

TEST(Occupancy, IsBlocksTimesWarpsUpToTheDevicesMaximum) {
  const auto warps = [](int64_t blocks, int64_t threads, StatedDevice stated = {}) {
    const auto metric = occupied_warps({blocks, threads}, device, stated);
    return metric ? metric->median : -1;
  };
  EXPECT_EQ(warps(4, 256), 32);
  EXPECT_EQ(warps(1024, 1), 1024) << "one thread is a warp";
  EXPECT_EQ(warps(3, 33), 6) << "a part of a warp is one";
  EXPECT_EQ(warps(1'000'000, 256), 108 * 64);
  EXPECT_EQ(warps(INT64_MAX, 1024), 108 * 64) << "no overflow";
  EXPECT_EQ(warps(2, INT64_MAX), 108 * 64);
  EXPECT_EQ(warps(-1, 32), -1);
  EXPECT_EQ(warps(4, 256, {2560, 64}), 16);
  EXPECT_EQ(warps(4096, 1024, {2560, 64}), 2560);
  EXPECT_EQ(warps(0, 0), -1) << "the variant does not tell";
  EXPECT_EQ(occupied_warps({4, 256}, {}, {}), std::nullopt) << "the device is not known";
  EXPECT_EQ(occupied_warps({4, 256}, device, {})->stated, false);
  EXPECT_EQ(occupied_warps({4, 256}, device, {2560, 64})->stated, true);
}

TEST(Efficiency, IsSpeedupByWarpsAndSaysWhyItIsOverOne) {
  Config config;
  config.baseline = "cpu_baseline";
  CaseState s = on_gpu(timed("v", {2}), 8);
  s.record.metrics.emplace_back(MetricName::warps_occupied, *occupied_warps({4, 256}, device, {}));
  s.record.metrics.emplace_back(MetricName::speedup_total, Metric{16});
  derive_efficiency(config, s.record);
  EXPECT_DOUBLE_EQ(median(s, MetricName::efficiency), 0.5);
  EXPECT_TRUE(s.record.notes.empty());

  // A case from the store, and a config that states a device since then.
  forget_comparisons(s.record);
  config.device = {2, 64};
  s.record.metrics.emplace_back(MetricName::speedup_total, Metric{16});
  derive_efficiency(config, s.record);
  EXPECT_DOUBLE_EQ(median(s, MetricName::warps_occupied), 2);
  EXPECT_DOUBLE_EQ(median(s, MetricName::efficiency), 8);
  ASSERT_EQ(s.record.notes.size(), 1u);
  EXPECT_EQ(
      to_string(s.record.notes[0]),
      "efficiency 8 is over 1: it is a speedup over cpu_baseline divided by a number of warps of 64 lanes each, and "
      "cpu_baseline did not run in such warps");
}

}  // namespace
}  // namespace harness
