#include <gtest/gtest.h>

#include "harness/config/test_texts.h"

namespace harness {
namespace {

Config config_of(const std::string& keys) {
  auto config = parse_config(small_config + keys + "\n", "a.yaml");
  EXPECT_TRUE(config) << config.error().message;
  return config ? *std::move(config) : Config{};
}
std::string error_of(const std::string& keys) { return config_error(small_config + keys + "\n"); }

TEST(Published, EverythingOfOne) {
  const Config config = config_of(
      "published: [{file: p.csv, axes: {n: size}, values: {time_s: {metric: total_ms, unit: s}, r: gflops}, "
      "where: {platform: laptop, n: [64, 128]}, variants: {gpu_direct: cpu_avx}, note: contains set-up}]");
  const Published& p = config.published.at(0);
  EXPECT_EQ(p.values[0], std::pair(std::string("time_s"), std::string("total_ms")));
  EXPECT_EQ(p.values[1], std::pair(std::string("r"), std::string("gflops")));
  ASSERT_EQ(p.factors.size(), 1u);
  EXPECT_EQ(p.factors[0], std::pair(std::string("time_s"), 1000.0));
  ASSERT_EQ(p.where.size(), 2u);
  EXPECT_EQ(p.where[0].second, std::vector<std::string>{"laptop"});
  EXPECT_EQ(p.where[1].second, (std::vector<std::string>{"64", "128"}));
  EXPECT_EQ(p.variants[0], std::pair(std::string("gpu_direct"), std::string("cpu_avx")));
  EXPECT_EQ(p.note, "contains set-up");
  EXPECT_TRUE(p.axes_by_name.empty());
}

TEST(Published, APathAloneGoesByTheNamesOfItsColumns) {
  EXPECT_EQ(config_of("published: [p.csv]").published.at(0).axes_by_name,
            (std::vector<std::string>{"size", "BLOCK"}));
}

TEST(Published, UnitsAreForTimes) {
  EXPECT_EQ(error_of("published: [{file: p.csv, values: {r: {metric: gflops, unit: s}}}]"),
            "a.yaml:7:62: \"gflops\" is no time: leave out \"unit\", and give the figures in GFLOP/s");
  EXPECT_EQ(error_of("published: [{file: p.csv, values: {r: {metric: total_ms, unit: sec}}}]"),
            "a.yaml:7:64: \"unit\" must be one of s, ms, us, ns, not \"sec\"");
  EXPECT_EQ(error_of("published: [{file: p.csv, values: {r: {metric: total_ms}}}]"),
            "a.yaml:7:39: this value needs a key \"unit\"");
}

TEST(RecordedBaseline, IsRead) {
  const Config config =
      config_of("recorded_baseline: {file: t.csv, axes: {n: size}, value: time_s, unit: s, source: an earlier lab}");
  ASSERT_TRUE(config.recorded);
  EXPECT_EQ(config.recorded->file, "t.csv");
  EXPECT_EQ(config.recorded->axes[0], std::pair(std::string("n"), std::string("size")));
  EXPECT_EQ(config.recorded->value, "time_s");
  EXPECT_EQ(config.recorded->to_ms, 1000);
  EXPECT_EQ(config.recorded->source, "an earlier lab");
}

TEST(RecordedBaseline, Mistakes) {
  EXPECT_EQ(error_of("recorded_baseline: {file: t.csv, axes: {n: sise}, value: t, source: s}"),
            "a.yaml:7:44: no sweep has the axis \"sise\" (did you mean \"size\"?)");
  EXPECT_EQ(error_of("recorded_baseline: {file: t.csv, axes: {}, value: t, source: s}"),
            "a.yaml:7:40: \"axes\" must not be empty");
  EXPECT_EQ(error_of("recorded_baseline: {file: t.csv, axes: {n: size}, value: t}"),
            "a.yaml:7:20: this recorded baseline needs a key \"source\"");
}

TEST(StatedDevice, IsReadAndNeverZero) {
  const Config config = config_of("device: {max_warps: 2560, lanes: 64}");
  EXPECT_EQ(config.device.max_warps, 2560);
  EXPECT_EQ(config.device.lanes, 64);
  EXPECT_EQ(error_of("device: {max_warps: 0, lanes: 64}"),
            "a.yaml:7:21: \"max_warps\" must be a whole number from 1 to 10000000, not \"0\"");
  EXPECT_EQ(error_of("device: {max_warps: 2560, lanes: 0}"),
            "a.yaml:7:34: \"lanes\" must be a whole number from 1 to 1024, not \"0\"");
  EXPECT_EQ(error_of("device: {max_warps: 2560}"), "a.yaml:7:9: this device needs a key \"lanes\"");
}

TEST(Forbid, LibrariesThatAreKnown) {
  EXPECT_EQ(config_of("forbid: openblas").forbid, std::vector<std::string>{"openblas"});
  EXPECT_EQ(config_of("forbid: [cublas, cudnn]").forbid, (std::vector<std::string>{"cublas", "cudnn"}));
  EXPECT_EQ(error_of("forbid: openblass"),
            "a.yaml:7:9: \"forbid\" must be one of armpl, atlas, blas, blis, cublas, cudnn, cufft, cusolver, "
            "cusparse, cutensor, dnnl, gfortran, gsl, hipblas, lapack, mkl, MIOpen, openblas, rocblas, not \"openblass\" (did "
            "you mean \"openblas\"?)");
}

TEST(Vendor, OneOrSeveral) {
  EXPECT_EQ(config_of("vendor: gpu_cublas").vendors, std::vector<std::string>{"gpu_cublas"});
  const Config config = config_of("vendor: [cpu_openblas, gpu_cublas]");
  EXPECT_EQ(config.vendors, (std::vector<std::string>{"cpu_openblas", "gpu_cublas"}));
  EXPECT_EQ(to_string(config.vendor_positions[1]), "a.yaml:7:24");
}

}  // namespace
}  // namespace harness
