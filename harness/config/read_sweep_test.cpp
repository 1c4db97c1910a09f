#include <gtest/gtest.h>

#include "harness/config/read.h"
#include "harness/config/test_texts.h"

namespace harness {
namespace {

/// A config whose one sweep has these lines after `name` and `variants`. They start on line 6.
std::string with_sweep(const std::string& lines) {
  return "lab: a\nkernel: gemm\nsweeps:\n  - name: x\n    variants: [gpu_*, cpu_avx]\n" + lines;
}

Sweep sweep_of(const std::string& lines) {
  auto config = parse_config(with_sweep(lines), "a.yaml");
  EXPECT_TRUE(config) << config.error().message;
  return config ? config->sweeps.at(0) : Sweep{};
}

std::string sweep_error(const std::string& lines) { return config_error(with_sweep(lines)); }

std::string spell(const Axis& axis) {
  std::string text;
  for (const auto& point : axis.points) {
    Axes values;
    for (size_t i = 0; i < axis.names.size(); ++i) values.emplace_back(axis.names[i], point[i]);
    text += (text.empty() ? "" : " | ") + to_string(values);
  }
  return text;
}

TEST(Sweep, AxesOfEveryForm) {
  const Sweep sweep = sweep_of(
      "    axes:\n"
      "      size: \"64:256:*2\"\n"
      "      BLOCK: {values: [8, \"16:32:+16\"], only: [gpu_shared, gpu_t*]}\n"
      "      shape: [{m: 1, n: 2}, {n: 4, m: 3}]\n"
      "      alpha: 0.5\n"
      "      PARTITION: [row, \"8\"]\n");
  ASSERT_EQ(sweep.axes.size(), 5u);
  EXPECT_EQ(spell(sweep.axes[0]), "size=64 | size=128 | size=256");
  EXPECT_EQ(spell(sweep.axes[1]), "BLOCK=8 | BLOCK=16 | BLOCK=32");
  EXPECT_EQ(sweep.axes[1].only, (std::vector<std::string>{"gpu_shared", "gpu_t*"}));
  EXPECT_EQ(to_string(sweep.axes[1].only_positions[1]), "a.yaml:8:60");
  EXPECT_EQ(spell(sweep.axes[2]), "m=1 n=2 | m=3 n=4");
  EXPECT_EQ(spell(sweep.axes[3]), "alpha=0.5");
  EXPECT_EQ(sweep.axes[4].points[1][0], Value("8")) << "quotes make text";
  EXPECT_EQ(to_string(sweep.axes[4].position), "a.yaml:11:7");
  EXPECT_EQ(sweep.variants, (std::vector<std::string>{"gpu_*", "cpu_avx"}));
  EXPECT_EQ(to_string(sweep.variant_positions[1]), "a.yaml:5:23");
}

TEST(Sweep, AnAxisHasOtherValuesForOtherVariants) {
  const Sweep sweep = sweep_of("    axes: {BLOCK: {gpu_naive: 8, \"gpu_s*\": [16, 32]}, size: 1}\n");
  ASSERT_EQ(sweep.axes.size(), 3u);
  EXPECT_EQ(spell(sweep.axes[0]), "BLOCK=8");
  EXPECT_EQ(sweep.axes[0].only, std::vector<std::string>{"gpu_naive"});
  EXPECT_EQ(spell(sweep.axes[1]), "BLOCK=16 | BLOCK=32");
  EXPECT_EQ(to_string(sweep.axes[1].only_positions[0]), "a.yaml:6:34");
  EXPECT_EQ(axis_names(sweep), (std::vector<std::string>{"BLOCK", "size"}));
  EXPECT_EQ(axis_spellings(sweep, "BLOCK"), (std::vector<std::string>{"8", "16", "32"}));
  EXPECT_EQ(sweep_error("    axes: {BLOCK: {}}\n"), "a.yaml:6:19: \"BLOCK\" must not be empty");
  EXPECT_EQ(sweep_error("    axes: {BLOCK: {values: 8, only: [gpu_*], gpu_a: 4}}\n"),
            "a.yaml:6:19: an axis with \"values\" and \"only\" has no other keys");
  EXPECT_EQ(sweep_error("    axes: {BLOCK: {gpu_*: []}}\n"), "a.yaml:6:27: \"gpu_*\" must not be empty");
}

TEST(Sweep, ExcludeTakesRanges) {
  const Sweep sweep = sweep_of(
      "    axes: {size: \"64:1024:*2\"}\n"
      "    exclude: [{size: [64, \"256:1024:*2\"], reason: why}]\n");
  EXPECT_EQ(sweep.exclude[0].axes[0].second,
            (std::vector<Value>{int64_t{64}, int64_t{256}, int64_t{512}, int64_t{1024}}));
}

TEST(Sweep, ZipMovesInLockStepAndStandsWhereItIsWritten) {
  const Sweep sweep =
      sweep_of("    zip: {m: \"1:4:*2\", TILE: [8, 16, 32]}\n    axes: {n: 7}\n    set: {beta: 0.5, k: 3}\n");
  ASSERT_EQ(sweep.axes.size(), 2u);
  EXPECT_EQ(spell(sweep.axes[0]), "m=1 TILE=8 | m=2 TILE=16 | m=4 TILE=32");
  EXPECT_EQ(spell(sweep.axes[1]), "n=7");
  EXPECT_EQ(to_string(sweep.fixed), "beta=0.5 k=3");
  EXPECT_EQ(axis_names(sweep), (std::vector<std::string>{"m", "TILE", "n", "beta", "k"}));
  EXPECT_EQ(axis_spellings(sweep, "TILE"), (std::vector<std::string>{"8", "16", "32"}));
}

TEST(Sweep, ExcludeAndInclude) {
  const Sweep sweep = sweep_of(
      "    axes: {size: [1, 2]}\n    dtype: f64\n"
      "    exclude: [{variant: gpu_*, size: [1, 2], reason: why}]\n"
      "    include: [{variant: cpu_avx, size: 9, threads: 2}]\n");
  ASSERT_EQ(sweep.exclude.size(), 1u);
  EXPECT_EQ(sweep.exclude[0].variant, "gpu_*");
  EXPECT_EQ(sweep.exclude[0].reason, "why");
  EXPECT_EQ(sweep.exclude[0].axes[0].second.size(), 2u);
  EXPECT_EQ(to_string(sweep.include.at(0)), "variant=cpu_avx size=9 threads=2");
  EXPECT_EQ(sweep.dtype, Dtype::f64);
  EXPECT_EQ(axis_spellings(sweep, "size"), (std::vector<std::string>{"1", "2", "9"}));
}

TEST(Sweep, Mistakes) {
  EXPECT_EQ(config_error("lab: a\nkernel: gemm\nsweeps:\n  - name: x\n    axes: {size: 1}\n"),
            "a.yaml:4:5: sweep \"x\" needs a key \"variants\"");
  EXPECT_EQ(config_error("lab: a\nkernel: gemm\nsweeps:\n  - variants: [a]\n"),
            "a.yaml:4:5: this sweep needs a key \"name\"");
  EXPECT_EQ(sweep_error("    axes: {size: 128:2048*2}\n"),
            "a.yaml:6:18: range \"128:2048*2\" is not start:stop:step; write \"128:2048:*2\" or \"8:64:+8\"");
  EXPECT_EQ(sweep_error("    zip: {size: [1, 2, 3], BLOCK: [1, 2, 3, 4]}\n"),
            "a.yaml:6:10: zip lists differ in length: \"size\" has 3 values, \"BLOCK\" has 4");
  EXPECT_EQ(sweep_error("    axes: {size: [64, \"64:128:*2\"]}\n"), "a.yaml:6:18: \"size\" lists 64 twice");
  EXPECT_EQ(sweep_error("    axes: {s: [{m: 1, n: 2}, {m: 1, n: 2}]}\n"),
            "a.yaml:6:15: \"s\" lists 1, 2 twice");
  EXPECT_EQ(sweep_error("    axes: {s: [{m: 1, n: 2}, {m: 1}]}\n"),
            "a.yaml:6:30: the maps in \"s\" must all have the keys of the first: m, n");
  EXPECT_EQ(sweep_error("    axes: {s: [{m: 1}, 4]}\n"),
            "a.yaml:6:15: \"s\" mixes values and maps; give it one or the other");
  EXPECT_EQ(sweep_error("    axes: {s: [{}]}\n"), "a.yaml:6:16: an entry of \"s\" must not be empty");
  EXPECT_EQ(sweep_error("    axes: {m: 1, s: [{m: 1}]}\n"),
            "a.yaml:6:18: axis \"m\" appears twice in sweep \"x\"");
  EXPECT_EQ(sweep_error("    axes: {m: 1}\n    set: {m: 1}\n"),
            "a.yaml:7:11: axis \"m\" appears twice in sweep \"x\"");
  EXPECT_EQ(sweep_error("    axes: {variant: [a]}\n"),
            "a.yaml:6:12: \"variant\" cannot be the name of an axis");
  EXPECT_EQ(sweep_error("    axes: {\"my size\": 1}\n"),
            "a.yaml:6:12: a key of \"axes\" must be an axis name, made of letters, digits and \"_\", not "
            "\"my size\"");
  EXPECT_EQ(sweep_error("    axes: {size: {values: [1]}}\n"), "a.yaml:6:18: this axis needs a key \"only\"");
  EXPECT_EQ(sweep_error("    axes: {size: []}\n"), "a.yaml:6:18: \"size\" must not be empty");
  EXPECT_EQ(sweep_error("    axes: {size: [[1]]}\n"),
            "a.yaml:6:19: an entry of \"size\" must be a number, a word or a range such as 128:2048:*2 or a "
            "map, not a list");
  EXPECT_EQ(sweep_error("    axes: {size: 1}\n    exclude: [{size: 1}]\n"),
            "a.yaml:7:15: this exclude needs a key \"reason\"");
  EXPECT_EQ(sweep_error("    axes: {size: 1}\n    exclude: [{sise: 1, reason: why}]\n"),
            "a.yaml:7:16: sweep \"x\" has no axis \"sise\" (did you mean \"size\"?)");
  EXPECT_EQ(sweep_error("    axes: {size: 1}\n    include: [{size: 1}]\n"),
            "a.yaml:7:15: this include needs a key \"variant\"");
  EXPECT_EQ(sweep_error("  - name: x\n    variants: [a]\n"),
            "a.yaml:6:11: duplicate sweep \"x\" (first on line 4)");
  EXPECT_EQ(sweep_error("    dtype: f16\n"), "a.yaml:6:12: \"dtype\" must be one of f32, f64, bf16, not \"f16\" (did you mean \"bf16\"?)");
}

}  // namespace
}  // namespace harness
