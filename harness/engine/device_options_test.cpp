#include "harness/engine/device_options.h"

#include <gtest/gtest.h>

namespace harness {
namespace {

std::string refused(const std::string& gpu, const std::string& schedule = "", const std::string& lanes = "",
                    const std::string& diagnostics = "") {
  const auto options = parse_device_options(gpu, schedule, lanes, diagnostics);
  return options ? "accepted" : options.error().message;
}

TEST(DeviceOptions, WordsOfTheCommandLine) {
  const auto plain = parse_device_options("", "", "", "");
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->gpu, "auto");
  EXPECT_EQ(emulated_options(*plain), "schedule=mixed,lanes=32,diagnostics=on");
  EXPECT_EQ(schedule_name(*plain), "mixed");
  const auto all = parse_device_options("emulated", "random:7", "64", "off");
  ASSERT_TRUE(all);
  EXPECT_EQ(all->gpu, "emulated");
  EXPECT_EQ(emulated_options(*all), "schedule=random:7,lanes=64,diagnostics=off");
  EXPECT_EQ(schedule_name(*all), "random:7");
  const auto drawn = parse_device_options("cuda", "random", "32", "on");
  ASSERT_TRUE(drawn);
  EXPECT_TRUE(drawn->schedule.starts_with("random:") && drawn->schedule.size() <= 13) << drawn->schedule;
}

TEST(DeviceOptions, WrongWordsSuggest) {
  EXPECT_EQ(refused("cudo"),
            "--gpu \"cudo\" is no device (did you mean \"cuda\"?); there are auto, cuda, emulated, hip");
  EXPECT_EQ(refused("cpu"), "--gpu \"cpu\" is no device; there are auto, cuda, emulated, hip");
  EXPECT_EQ(refused("", "randon:3"),
            "--schedule \"randon:3\" is unknown (did you mean \"random\"?); there are mixed, in_order, random, "
            "random:SEED");
  for (const char* seed : {"", "x", "7x", "-1"})
    EXPECT_EQ(refused("", std::string("random:") + seed),
              std::string("--schedule \"random:") + seed + "\": the seed is not a number; write for example random:7");
  EXPECT_EQ(refused("", "", "16"), "--lanes \"16\": a warp has 32 lanes (NVIDIA) or 64 (AMD)");
  EXPECT_EQ(refused("", "", "", "yes"), "--diagnostics \"yes\" is neither on nor off");
}

TEST(DeviceOptions, AutoTakesTheRealDevice) {
  DeviceOptions options;
  GpuInfo gpu;
  gpu.vendor = "nvidia";
  EXPECT_EQ(choose_gpu_toolchain(options, &gpu), find_toolchain("cuda"));
  EXPECT_EQ(choose_gpu_toolchain(options, nullptr), find_toolchain("emulated"));
  options.emulates = false;
  EXPECT_EQ(choose_gpu_toolchain(options, nullptr), find_toolchain("cuda"));
  ASSERT_NE(find_toolchain("emulated"), nullptr);
  gpu.vendor = "amd";
  EXPECT_EQ(choose_gpu_toolchain(options, &gpu), find_toolchain("hip"));
  options.gpu = "cuda";
  EXPECT_EQ(choose_gpu_toolchain(options, nullptr), find_toolchain("cuda"));
  options.gpu = "emulated";
  EXPECT_EQ(choose_gpu_toolchain(options, &gpu), find_toolchain("emulated"));
}

}  // namespace
}  // namespace harness
