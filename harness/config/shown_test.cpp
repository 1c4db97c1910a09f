#include "harness/config/shown.h"

#include <gtest/gtest.h>

#include "harness/config/test_texts.h"

namespace harness {
namespace {

Config with(const std::string& more) {
  auto config = parse_config(small_config + more, "a.yaml");
  EXPECT_TRUE(config) << config.error().message;
  return config ? *config : Config{};
}

TEST(Shown, ByAClaim) {
  const Config c = with("claims: [{claim: first_call_ms of cpu_avx above 1, sweep: sizes, source: report}]\n");
  EXPECT_TRUE(shows(c, "sizes", "cpu_avx", MetricName::first_call_ms));
  EXPECT_FALSE(shows(c, "sizes", "cpu_baseline", MetricName::first_call_ms));
  EXPECT_FALSE(shows(c, "sizes", "cpu_avx", MetricName::h2d_ms));
}

TEST(Shown, ByATableOfTheSweep) {
  const Config c = with(
      "report:\n"
      "  tables:\n"
      "    - {title: t, sweep: sizes, rows: [variant, metric], columns: size, values: [kernel_ms, "
      "h2d_ms]}\n");
  EXPECT_TRUE(shows(c, "sizes", "cpu_avx", MetricName::kernel_ms));
  EXPECT_TRUE(shows(c, "sizes", "cpu_avx", MetricName::h2d_ms));
  EXPECT_FALSE(shows(c, "sizes", "cpu_avx", MetricName::first_call_ms));
  EXPECT_FALSE(shows(c, "others", "cpu_avx", MetricName::h2d_ms));
}

TEST(Shown, OfTheVariantsThatItSelects) {
  const Config c = with(
      "report:\n"
      "  tables:\n"
      "    - {title: t, sweep: sizes, where: {variant: cpu_a*}, rows: variant, columns: size, value: "
      "h2d_ms}\n");
  EXPECT_TRUE(shows(c, "sizes", "cpu_avx", MetricName::h2d_ms));
  EXPECT_FALSE(shows(c, "sizes", "cpu_baseline", MetricName::h2d_ms));
}

TEST(Shown, ByAPlotOrAnExport) {
  const Config c = with(
      "report:\n"
      "  plots:\n"
      "    - {title: p, sweep: sizes, kind: lines, x: size, y: h2d_ms, series: variant}\n"
      "  exports:\n"
      "    - {name: e, sweep: sizes, columns: {n: {parameter: n}, t: {metric: d2h_ms, unit: s}}}\n");
  EXPECT_TRUE(shows(c, "sizes", "cpu_avx", MetricName::h2d_ms));
  EXPECT_TRUE(shows(c, "sizes", "cpu_avx", MetricName::d2h_ms));
  EXPECT_FALSE(shows(c, "sizes", "cpu_avx", MetricName::alloc_ms));
}

TEST(Shown, BesidePublishedFigures) {
  const Config c = with(
      "published:\n"
      "  - file: old.csv\n"
      "    sweep: sizes\n"
      "    where: {variant: avx}\n"
      "    variants: {avx: cpu_avx}\n"
      "    axes: {n: size}\n"
      "    values: {time_ms: first_call_ms}\n");
  EXPECT_TRUE(shows(c, "sizes", "cpu_avx", MetricName::first_call_ms));
  EXPECT_FALSE(shows(c, "sizes", "cpu_baseline", MetricName::first_call_ms));
  EXPECT_FALSE(shows(c, "sizes", "cpu_avx", MetricName::kernel_ms));
}

TEST(Shown, NothingByAConfigWithoutAReport) {
  EXPECT_FALSE(shows(with(""), "sizes", "cpu_avx", MetricName::kernel_ms));
}

}  // namespace
}  // namespace harness
