#include "harness/config/config.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "harness/base/files.h"
#include "harness/base/text.h"
#include "harness/config/metric_table.h"
#include "harness/config/test_texts.h"

namespace harness {
namespace {

TEST(Config, DefaultsOfASmallOne) {
  const auto config = parse_config(small_config, "a.yaml");
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(config->lab, "a");
  EXPECT_EQ(config->title, "a") << "without a title: the lab's name";
  EXPECT_EQ(config->kernel, "gemm");
  EXPECT_EQ(to_string(config->kernel_position), "a.yaml:2:9");
  EXPECT_EQ(config->dtype, Dtype::f32);
  EXPECT_EQ(config->path, "a.yaml");
  EXPECT_EQ(config->text, small_config);
  EXPECT_EQ(config->measure.precision, MeasurePolicy{}.precision);
  EXPECT_EQ(*config->report, nlohmann::json::parse(R"({"tables": [], "plots": []})"));
}

TEST(Config, SubmissionsStayPrivateUnlessTheConfigSharesThem) {
  const auto plain = parse_config(small_config, "a.yaml");
  ASSERT_TRUE(plain) << plain.error().message;
  EXPECT_EQ(plain->submissions, Submissions::kept_private);
  const auto shared = parse_config("submissions: shared\n" + small_config, "a.yaml");
  ASSERT_TRUE(shared) << shared.error().message;
  EXPECT_EQ(shared->submissions, Submissions::shared);
  EXPECT_EQ(parse_config("submissions: share\n" + small_config, "a.yaml").error().message.substr(0, 12), "a.yaml:1:14:");
}

TEST(Config, AContainerIsAnImageOrAMap) {
  const auto plain = parse_config("container: localhost/harness-cuda\n" + small_config, "a.yaml");
  ASSERT_TRUE(plain) << plain.error().message;
  EXPECT_EQ(plain->container.program, "podman");
  EXPECT_EQ(plain->container.image, "localhost/harness-cuda");
  EXPECT_EQ(plain->sandbox, "podman");
  const auto map = parse_config(
      "sandbox: docker\ncontainer: {program: docker, image: a/b:1, mounts: [/usr/local/cuda]}\n" + small_config,
      "a.yaml");
  ASSERT_TRUE(map) << map.error().message;
  EXPECT_EQ(map->sandbox, "docker");
  EXPECT_EQ(map->container.mounts, std::vector<std::string>{"/usr/local/cuda"});
  const auto neither = parse_config(small_config, "a.yaml");
  ASSERT_TRUE(neither);
  EXPECT_EQ(neither->container.program + neither->sandbox, "");
}

TEST(Config, WrongContainers) {
  EXPECT_EQ(config_error("container: {program: podmann}\n" + small_config),
            "a.yaml:1:22: \"program\" must be one of podman, docker, apptainer, not \"podmann\" "
            "(did you mean \"podman\"?)");
  EXPECT_EQ(config_error("container: {imag: x}\n" + small_config),
            "a.yaml:1:13: unknown key \"imag\" (did you mean \"image\"?)");
  EXPECT_EQ(config_error("container: {mounts: [cuda]}\n" + small_config),
            "a.yaml:1:22: an entry of \"mounts\" must be a path that begins with \"/\", not \"cuda\"");
  EXPECT_EQ(config_error("sandbox: bwrap\ncontainer: localhost/x\n" + small_config),
            "a.yaml:1:10: sandbox \"bwrap\" and a container of podman do not go together; remove one of the two");
}

TEST(Config, EveryKeyIsRead) {
  const auto config = parse_config(
      "title: Matrices\nabout: |\n  Two lines\n  of text\ndtype: f64\nbaseline: cpu_baseline\nsandbox: none\n"
      "measure: {precision: 1%, max_time: 2m, min_batch: 2ms, min_samples: 3, max_samples: 30, gpu_cache: "
      "hot, cpu_cache: cold}\nleast_shapes: 75%\n"
      "resources: {build_time: 1m, case_time: 30s, memory: 2GiB, processes: 8, file_size: 1MiB, output_size: "
      "16KiB}\n"
      "flags: {cxx: [-O2, -g], gpu: [-lineinfo]}\n"
      "published: [p.csv, {file: q.csv, sweep: sizes, axes: {n: size}, values: {time_ms: kernel_ms}, "
      "machine: a laptop}]\n" +
          small_config,
      "a.yaml");
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(config->title, "Matrices");
  EXPECT_EQ(config->about, "Two lines\nof text\n");
  EXPECT_EQ(config->dtype, Dtype::f64);
  EXPECT_EQ(config->baseline, "cpu_baseline");
  EXPECT_EQ(to_string(config->baseline_position), "a.yaml:6:11");
  EXPECT_EQ(config->sandbox, "none");
  EXPECT_DOUBLE_EQ(config->measure.precision, 0.01);
  EXPECT_EQ(config->measure.max_time_s, 120);
  EXPECT_EQ(config->measure.min_batch_ms, 2);
  EXPECT_EQ(config->measure.min_samples, 3);
  EXPECT_EQ(config->measure.max_samples, 30);
  EXPECT_EQ(config->measure.gpu_cache, MeasurePolicy::Cache::hot);
  EXPECT_EQ(config->measure.cpu_cache, MeasurePolicy::CpuCache::cold);
  EXPECT_EQ(config->least_shapes, 0.75);
  EXPECT_EQ(config->resources.build_s, 60);
  EXPECT_EQ(config->resources.case_s, 30);
  EXPECT_EQ(config->resources.memory_mib, 2048);
  EXPECT_EQ(config->resources.processes, 8);
  EXPECT_EQ(config->resources.file_mib, 1);
  EXPECT_EQ(config->resources.output_kib, 16);
  EXPECT_EQ(config->cxx_flags, (std::vector<std::string>{"-O2", "-g"}));
  EXPECT_EQ(config->gpu_flags, (std::vector<std::string>{"-lineinfo"}));
  ASSERT_EQ(config->published.size(), 2u);
  EXPECT_EQ(config->published[0].file, "p.csv");
  EXPECT_EQ(config->published[1].axes[0], std::pair(std::string("n"), std::string("size")));
  EXPECT_EQ(config->published[1].values[0], std::pair(std::string("time_ms"), std::string("kernel_ms")));
  EXPECT_EQ(config->published[1].machine, "a laptop");
}

TEST(Config, EachErrorNamesItsPosition) {
  EXPECT_EQ(config_error(small_config + "measure: {tolarance: 1}"),
            "a.yaml:7:11: unknown key \"tolarance\"; known here: precision, max_time, min_batch, "
            "min_samples, max_samples, drop_slower, cpu_cache, "
            "gpu_cache");
  EXPECT_EQ(config_error(small_config + "mesure: {}"),
            "a.yaml:7:1: unknown key \"mesure\" (did you mean \"measure\"?)");
  EXPECT_EQ(config_error(small_config + "lab: b"), "a.yaml:7:1: duplicate key \"lab\"");
  EXPECT_EQ(
      config_error(small_config + "measure: {precision: fast}"),
      "a.yaml:7:22: \"precision\" must be a percentage or a number such as 0.5% or 0.005, not \"fast\"");
  EXPECT_EQ(config_error(small_config + "measure: {cpu_cache: warm}"),
            "a.yaml:7:22: \"cpu_cache\" must be one of fresh, cold, not \"warm\"");
  EXPECT_EQ(config_error(small_config + "least_shapes: most"),
            "a.yaml:7:15: \"least_shapes\" must be a percentage or a number such as 75% or 0.75, at most 100%, not \"most\"");
  EXPECT_EQ(config_error(small_config + "least_shapes: 101%"),
            "a.yaml:7:15: \"least_shapes\" must be a percentage or a number such as 75% or 0.75, at most 100%, not \"101%\"");
  EXPECT_EQ(parse_config(small_config + "least_shapes: 100%", "a.yaml")->least_shapes, 1);
  EXPECT_EQ(config_error(small_config + "allowed_precisions: [tf32, normvise]"),
            "a.yaml:7:28: an entry of \"allowed_precisions\" must be one of ieee, tf32, normwise, not \"normvise\" (did you mean \"normwise\"?)");
  EXPECT_EQ(config_error(small_config + "measure: {min_samples: 9, max_samples: 3}"),
            "a.yaml:7:10: min_samples (9) is more than max_samples (3)");
  EXPECT_EQ(config_error("lab: a\nsweeps: []\n"), "a.yaml:1:1: this config needs a key \"kernel\"");
  EXPECT_EQ(config_error("lab: a\nkernel: gemm\nsweeps: []\n"), "a.yaml:3:9: \"sweeps\" must not be empty");
  EXPECT_EQ(config_error("lab: Lab 5\nkernel: gemm\n"), "a.yaml:1:1: this config needs a key \"sweeps\"");
  EXPECT_EQ(config_error("kernel: gemm\nlab: Lab 5\nsweeps: 1\n"),
            "a.yaml:2:6: \"lab\" must be a name of a-z, 0-9, \"_\" and \"-\", not \"Lab 5\"");
  EXPECT_EQ(config_error("- a\n"), "a.yaml:1:1: a config must be a map, not a list");
  EXPECT_EQ(
      config_error(small_config + "resources: {memory: 4GB}"),
      "a.yaml:7:21: \"memory\" must be a size such as 64KiB, 512MiB or 4GiB, at least 1MiB, not \"4GB\"");
}

TEST(Config, EmptyAndHugeTextsHaveWordsOfTheirOwn) {
  for (const char* text : {"", "\n\n", "# nothing yet\n", "---\n"})
    EXPECT_EQ(config_error(text), "a.yaml: is empty; a config starts with the keys lab, kernel and sweeps")
        << text;
  EXPECT_EQ(config_error(std::string(3 << 20, '#')),
            "a.yaml: 3 MiB are too much for a config; the limit is 1 MiB");
}

TEST(Config, PublishedRefersToWhatThereIs) {
  EXPECT_EQ(config_error(small_config + "published: [{file: p.csv, sweep: size}]"),
            "a.yaml:7:34: unknown sweep \"size\" (did you mean \"sizes\"?)");
  EXPECT_EQ(config_error(small_config + "published: [{file: p.csv, axes: {n: sise}}]"),
            "a.yaml:7:37: no sweep has the axis \"sise\" (did you mean \"size\"?)");
  EXPECT_EQ(
      config_error(small_config + "published: [{file: p.csv, values: {t: kernel_s}}]"),
      "a.yaml:7:39: \"t\" must be one of " +
          join(metric_names(), ", ") + ", not \"kernel_s\" (did you mean \"kernel_ms\"?)");
}

class ConfigFile : public ::testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) {
    const std::string path = (folder_.path() / name).string();
    EXPECT_TRUE(write_file(path, text));
    return path;
  }
  std::string load_error(const std::string& path) {
    const auto config = load_config(path);
    return config ? "no error" : config.error().message;
  }
  std::string in_folder(const std::string& name) { return (folder_.path() / name).string(); }

  TemporaryFolder folder_;
};

TEST_F(ConfigFile, IsRead) {
  const auto config = load_config(write("a.yaml", small_config));
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(config->path, in_folder("a.yaml"));
}

TEST_F(ConfigFile, OfTheProjectNeedsOnlyItsName) {
  const auto config = load_config("lab5");
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(fs::path(config->path), *project_root() / "configs/lab5.yaml");
  EXPECT_TRUE(starts_with(load_error("lab55"), "lab55: no such file"));
}

TEST_F(ConfigFile, ASourceIsNone) {
  write("cpu_mine.cpp", "int main() {}\n");
  EXPECT_EQ(load_error(in_folder("cpu_mine.cpp")),
            in_folder("cpu_mine.cpp") + ": is a source; name a config, and choose its variant with --variant cpu_mine");
}

TEST_F(ConfigFile, AMissingOneIsLookedForNearby) {
  write("lab5.yaml", small_config);
  EXPECT_EQ(load_error(in_folder("nope.yaml")),
            in_folder("nope.yaml") + ": no such file (did you mean \"" + in_folder("lab5.yaml") + "\"?)")
      << "the only one there is";
  write("other.yaml", small_config);
  EXPECT_EQ(load_error(in_folder("lab50.yml")),
            in_folder("lab50.yml") + ": no such file (did you mean \"" + in_folder("lab5.yaml") + "\"?)");
  EXPECT_EQ(load_error(in_folder("zzzzzz.yaml")), in_folder("zzzzzz.yaml") + ": no such file; there are " +
                                                      in_folder("lab5.yaml") + ", " +
                                                      in_folder("other.yaml"));
}

TEST_F(ConfigFile, WhatIsNoFileOrCannotBeRead) {
  write("lab5.yaml", small_config);
  EXPECT_EQ(load_error(folder_.path().string()),
            folder_.path().string() + ": is a folder; name one file: " + in_folder("lab5.yaml"));
  EXPECT_EQ(load_error("/dev/zero"), "/dev/zero: is not a file");
  // Also where the tests run as root, who may read everything: a name the system refuses.
  const std::string too_long = in_folder(std::string(300, 'x'));
  EXPECT_EQ(load_error(too_long), too_long + ": cannot read: File name too long");
}

}  // namespace
}  // namespace harness
