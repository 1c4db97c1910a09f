#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "harness/base/text.h"
#include "harness/config/metric_table.h"
#include "harness/config/test_texts.h"

namespace harness {
namespace {

/// Its one table or plot stands on line 9, from column 6.
std::string with_table(const std::string& keys) {
  return small_config + "report:\n  tables:\n   - {title: t, sweep: sizes, " + keys + "}\n";
}
std::string with_plot(const std::string& keys) {
  return small_config + "report:\n  plots:\n   - {title: t, sweep: sizes, " + keys + "}\n";
}

nlohmann::json report_of(const std::string& text) {
  const auto config = parse_config(text, "a.yaml");
  EXPECT_TRUE(config) << config.error().message;
  return config ? *config->report : nlohmann::json();
}

TEST(Report, TablesHaveOneShapeHoweverTheyAreWritten) {
  const auto expected = nlohmann::json::parse(R"({
    "title": "t", "sweep": "sizes", "rows": ["variant"], "columns": ["size"], "values": ["kernel_ms"], "published": true})");
  EXPECT_EQ(report_of(with_table("rows: variant, columns: size, value: kernel_ms"))["tables"][0], expected);
  EXPECT_EQ(report_of(with_table("values: [kernel_ms], columns: [size], rows: [variant]"))["tables"][0],
            expected);
}

TEST(Report, EverythingOfATable) {
  EXPECT_EQ(report_of(with_table(
                "rows: [variant, metric], columns: size, values: [kernel_ms, gflops], caption: c, "
                "where: {variant: cpu_*, BLOCK: 8, size: [64, 128]}, published: false"))["tables"][0],
            nlohmann::json::parse(R"({
    "title": "t", "sweep": "sizes", "rows": ["variant", "metric"], "columns": ["size"], "values": ["kernel_ms", "gflops"],
    "caption": "c", "variants": ["cpu_*"], "where": {"BLOCK": [8], "size": [64, 128]}, "published": false})"));
}

TEST(Report, PlotsOfEveryKind) {
  EXPECT_EQ(
      report_of(with_plot("kind: lines, x: size, y: kernel_ms, series: variant, log: [x, y]"))["plots"][0],
      nlohmann::json::parse(
          R"({"title": "t", "sweep": "sizes", "kind": "lines", "x": "size", "y": ["kernel_ms"],
    "series": ["variant"], "log": ["x", "y"]})"));
  EXPECT_EQ(report_of(with_plot("kind: heatmap, x: size, y: BLOCK, value: gflops"))["plots"][0],
            nlohmann::json::parse(
                R"({"title": "t", "sweep": "sizes", "kind": "heatmap", "x": "size", "y": ["BLOCK"],
    "value": "gflops"})"));
  EXPECT_EQ(report_of(with_plot("kind: roofline"))["plots"][0],
            nlohmann::json::parse(R"({"title": "t", "sweep": "sizes", "kind": "roofline"})"));
}

TEST(Report, TablesNameWhatTheirSweepHas) {
  const std::string rest = ", columns: size, value: kernel_ms";
  EXPECT_EQ(
      config_error(small_config +
                   "report: {tables: [{title: t, sweep: sices, rows: size, columns: size, value: gflops}]}"),
      "a.yaml:7:37: unknown sweep \"sices\" (did you mean \"sizes\"?)");
  EXPECT_EQ(config_error(with_table("rows: BLOK" + rest)),
            "a.yaml:9:37: sweep \"sizes\" has no axis \"BLOK\" (did you mean \"BLOCK\"?)");
  EXPECT_EQ(config_error(with_table("rows: k" + rest)),
            "a.yaml:9:37: sweep \"sizes\" has no axis \"k\"; it has size, BLOCK, variant, metric, threads");
  EXPECT_EQ(config_error(with_table("rows: size" + rest)),
            "a.yaml:9:6: table \"t\" has \"size\" in rows and in columns");
  EXPECT_EQ(config_error(with_table("rows: variant, columns: size")),
            "a.yaml:9:6: table \"t\" needs a key \"value\"");
  EXPECT_EQ(config_error(with_table("rows: variant, values: [gflops]" + rest)),
            "a.yaml:9:6: table \"t\" has \"value\" and \"values\"; keep one");
  EXPECT_EQ(config_error(with_table("rows: variant, columns: size, values: [gflops, kernel_ms]")),
            "a.yaml:9:69: several metrics need \"metric\" in rows or columns");
}

TEST(Report, WhereNamesCasesThatExist) {
  const std::string rest = "rows: variant, columns: size, value: kernel_ms, where: ";
  EXPECT_EQ(config_error(with_table(rest + "{BLOCK: [8, 12]}")),
            "a.yaml:9:98: sweep \"sizes\" has no case with BLOCK=12; it has 8, 16");
  EXPECT_EQ(config_error(with_table(rest + "{BLOC: 8}")),
            "a.yaml:9:87: sweep \"sizes\" has no axis \"BLOC\" (did you mean \"BLOCK\"?)");
  EXPECT_EQ(config_error(with_table(rest + "{variant: cpu_avy}")),
            "a.yaml:9:96: sweep \"sizes\" has no variant \"cpu_avy\" (did you mean \"cpu_avx\"?)");
  EXPECT_EQ(config_error(with_table(rest + "{variant: gpu_*}")),
            "a.yaml:9:96: sweep \"sizes\" has no variant \"gpu_*\"; it has cpu_avx, cpu_baseline");
}

TEST(Report, PlotsNeedWhatTheirKindNeeds) {
  EXPECT_EQ(config_error(with_plot("kind: line, x: size, y: gflops")),
            "a.yaml:9:37: \"kind\" must be one of lines, bars, heatmap, roofline, not \"line\" (did you mean "
            "\"lines\"?)");
  EXPECT_EQ(config_error(with_plot("kind: lines, y: gflops")), "a.yaml:9:6: plot \"t\" needs a key \"x\"");
  EXPECT_EQ(config_error(with_plot("kind: lines, x: size, y: kernel")),
            "a.yaml:9:56: unknown metric \"kernel\"; there are " +
                join(metric_names(), ", "));
  EXPECT_EQ(config_error(with_plot("kind: bars, x: size, y: [h2d_ms, d2h_ms], series: variant")),
            "a.yaml:9:55: several metrics need \"metric\" in x or series");
  EXPECT_EQ(config_error(with_plot("kind: heatmap, x: size, y: BLOCK")),
            "a.yaml:9:6: plot \"t\" needs a key \"value\"");
  EXPECT_EQ(
      config_error(with_plot("kind: heatmap, x: size, y: gflops, value: gflops")),
      "a.yaml:9:58: sweep \"sizes\" has no axis \"gflops\"; it has size, BLOCK, variant, metric, threads");
  EXPECT_EQ(config_error(with_plot("kind: lines, x: size, y: gflops, value: gflops")),
            "a.yaml:9:6: plot \"t\" has a \"value\", which only a heatmap has; write \"y\"");
}

TEST(Metrics, AreDescribedForTheReport) {
  ASSERT_NE(find_metric("speedup"), nullptr);
  EXPECT_EQ(find_metric("speedups"), nullptr);
  const auto of = [](std::string_view name, int lanes = 32, int64_t stated_warps = 0) {
    for (const auto& [known, info] : metrics_info(lanes, stated_warps))
      if (to_string(known) == name) return info;
    return MetricInfo{};
  };
  EXPECT_EQ(of("kernel_ms").unit, "ms");
  EXPECT_EQ(of("kernel_ms").better, MetricInfo::Better::lower);
  EXPECT_EQ(of("gflops").better, MetricInfo::Better::higher);
  EXPECT_EQ(of("warps_occupied").label, "occupied warps");
  EXPECT_EQ(of("warps_occupied", 64).label, "occupied wavefronts");
  EXPECT_EQ(of("efficiency", 64, 2560).label, "efficiency (stated device: 2560 wavefronts of 64 lanes)");
}

}  // namespace
}  // namespace harness
