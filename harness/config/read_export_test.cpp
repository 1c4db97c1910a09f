#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "harness/config/test_texts.h"
#include "harness/config/units.h"

namespace harness {
namespace {

/// The export stands on line 9, from column 6; the example on line 8, from column 12.
std::string with_export(const std::string& columns) {
  return small_config + "report:\n  exports:\n   - {name: e, sweep: sizes, columns: " + columns + "}\n";
}
std::string with_example(const std::string& keys) {
  return small_config + "report:\n  example: {" + keys + "}\n";
}

nlohmann::json report_of(const std::string& text) {
  const auto config = parse_config(text, "a.yaml");
  EXPECT_TRUE(config) << config.error().message;
  return config ? *config->report : nlohmann::json();
}

TEST(Export, ColumnsKeepTheirOrderAndSayWhatTheyHold) {
  EXPECT_EQ(report_of(with_export(
                "{type: variant, M: {parameter: m}, size: size, time_s: {metric: total_ms, unit: s}, "
                "gflops: gflops}"))["exports"][0],
            nlohmann::json::parse(R"({"name": "e", "sweep": "sizes", "columns": [
    {"name": "type", "axis": "variant"}, {"name": "M", "parameter": "m"}, {"name": "size", "axis": "size"},
    {"name": "time_s", "metric": "total_ms", "unit": "s", "scale": 0.001}, {"name": "gflops", "metric": "gflops"}]})"));
}

TEST(Export, AListNamesColumnsAfterWhatTheyHold) {
  EXPECT_EQ(
      report_of(with_export("[variant, BLOCK, kernel_ms, status]"))["exports"][0]["columns"],
      nlohmann::json::parse(R"([{"name": "variant", "axis": "variant"}, {"name": "BLOCK", "axis": "BLOCK"},
    {"name": "kernel_ms", "metric": "kernel_ms"}, {"name": "status", "axis": "status"}])"));
}

TEST(Export, ColumnsNameWhatTheSweepHas) {
  EXPECT_EQ(config_error(with_export("[variant, gflop]")),
            "a.yaml:9:49: sweep \"sizes\" has no axis or metric \"gflop\" (did you mean \"gflops\"?)");
  EXPECT_EQ(config_error(with_export("{t: {metric: kernel_ms, unit: GFLOP/s}}")),
            "a.yaml:9:69: metric \"kernel_ms\" has no unit \"GFLOP/s\"; it has ns, us, ms, s");
  EXPECT_EQ(config_error(with_export("{t: {metric: speedup, unit: s}}")),
            "a.yaml:9:67: metric \"speedup\" has no unit \"s\"");
  EXPECT_EQ(config_error(with_export("{t: {unit: s}}")),
            "a.yaml:9:43: column \"t\" needs one of the keys \"metric\" and \"parameter\"");
  EXPECT_EQ(config_error(with_export("{t: {parameter: m, unit: s}}")),
            "a.yaml:9:43: column \"t\" has a \"unit\", which only a metric has");
  EXPECT_EQ(config_error(small_config + "report: {exports: [{name: e, sweep: sices, columns: [size]}]}"),
            "a.yaml:7:37: unknown sweep \"sices\" (did you mean \"sizes\"?)");
}

TEST(Example, IsKeptAsNumbers) {
  EXPECT_EQ(
      report_of(with_example("input: [[1, 2], [3, -4]], filter: [[1]], padding: 1"))["examples"],
      nlohmann::json::parse(R"([{"input": [[1, 2], [3, -4]], "filter": [[1]], "stride": 1, "padding": 1}])"));
  EXPECT_EQ(report_of(with_example("input: [[1], [2]], filter: [[1], [1]], channels: 2, stride: [1, 3]"))["examples"],
            nlohmann::json::parse(R"([{"input": [[1], [2]], "filter": [[1], [1]], "channels": 2, "stride": [1, 3],
                                      "padding": 0}])"));
  EXPECT_FALSE(report_of(small_config).contains("examples"));
}

TEST(Example, MustBeMatricesThatFit) {
  EXPECT_EQ(config_error(with_example("input: [[1, 2], [3]], filter: [[1]]")),
            "a.yaml:8:29: this row of \"input\" has 1 numbers, the first has 2");
  EXPECT_EQ(config_error(with_example("input: [[1]], filter: [[1, 2]]")),
            "a.yaml:8:35: the filter is larger than the input with its padding");
  EXPECT_EQ(config_error(with_example("input: [[1], [2], [3]], filter: [[1], [1]], channels: 2")),
            "a.yaml:8:20: the 3 rows of \"input\" cannot be those of 2 channels");
  EXPECT_EQ(
      config_error(with_example("input: [[a]], filter: [[1]]")),
      "a.yaml:8:22: an entry of an entry of \"input\" must be a whole number from -1000 to 1000, not \"a\"");
}

TEST(Units, OfOneQuantityAreScaled) {
  EXPECT_EQ(unit_scale("ms", "s"), 1e-3);
  EXPECT_EQ(unit_scale("GFLOP/s", "TFLOP/s"), 1e-3);
  EXPECT_EQ(unit_scale("GB/s", "MB/s"), 1e3);
  EXPECT_EQ(unit_scale("ms", "B/s"), std::nullopt);
  EXPECT_EQ(unit_scale("%", "%"), 1);
}

}  // namespace
}  // namespace harness
