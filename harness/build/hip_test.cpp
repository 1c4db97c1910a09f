// What hipcc is told. That it builds with these words is shown in tests/test_hip.py.
#include <gtest/gtest.h>

#include "harness/base/text.h"
#include "harness/build/toolchain.h"

namespace harness {
namespace {

Machine with(const std::string& tool, const std::string& path) {
  Machine machine;
  machine.tools = {{tool, path, "1.0"}};
  return machine;
}

std::vector<std::string> steps(const std::string& toolchain, const BuildInput& input, const Machine& machine) {
  std::vector<std::string> lines;
  for (const auto& step : find_toolchain(toolchain)->recipe(input, machine).steps) lines.push_back(join(step, " "));
  return lines;
}

TEST(Hip, TellsHipccWhatToBuild) {
  const BuildInput input = {.labs = "/x/labs",
                            .source = "/x/gpu_a.cu",
                            .macros = {{"BLOCK", int64_t{16}}},
                            .flags = {"-ffast-math"},
                            .architecture = "gfx906,gfx1030"};
  const std::string common =
      "/usr/bin/hipcc -std=c++20 -O3 -fPIC -fvisibility=hidden -fno-color-diagnostics -I/x/labs -isystem "
      "/x/labs/lab/hip/include -include lab/hip_names.h ";
  const std::string both = "--offload-arch=gfx906 --offload-arch=gfx1030 ";
  EXPECT_EQ(
      steps("hip", input, with("hipcc", "/usr/bin/hipcc")),
      (std::vector<std::string>{
          common + "-DBLOCK=16 -ffast-math -x hip /x/gpu_a.cu " + both + "-MD -MF variant.d -c -o variant.o",
          common + both + "-x hip /x/labs/device/device_cuda.cu -MD -MF glue.d -c -o device.o",
          common +
              "-DBLOCK=16 -ffast-math -x hip /x/gpu_a.cu --offload-arch=gfx906 --cuda-device-only -M -MF device0.d",
          common +
              "-DBLOCK=16 -ffast-math -x hip /x/gpu_a.cu --offload-arch=gfx1030 --cuda-device-only -M -MF device1.d",
          "/usr/bin/hipcc -shared --offload-arch=gfx906 --offload-arch=gfx1030 -Wl,--no-undefined "
          "-o variant.so variant.o device.o -fno-lto"}));
}

TEST(Hip, SourcesInItsOwnWordsAreBuiltForTheOthersToo) {
  const BuildInput input = {
      .labs = "/x/labs", .build_files = "/x/own", .source = "/x/gpu_a.hip.cpp", .architecture = "sm_90"};
  EXPECT_EQ(steps("cuda", input, with("nvcc", "/x/cuda/bin/nvcc"))[1],
            "/x/cuda/bin/nvcc -std=c++20 -O3 -lineinfo -arch=sm_90 -Xcompiler=-fPIC,-fvisibility=hidden -I/x/labs "
            "-isystem /x/labs/lab/cuda/include -include hip/hip_runtime.h -x cu -MD -MF variant.d "
            "-Xcompiler=-Wa\\,--MD\\,assembled.d -Xptxas=-v -keep -c /x/gpu_a.hip.cpp -o variant.o");
  EXPECT_EQ(
      steps("emulated", input, with("g++", "/usr/bin/g++"))[3],
      "/usr/bin/g++ -std=c++20 -fdiagnostics-color=never -E -DLAB_EMULATED=1 -DLAB_EMULATED_VARIANT=1 -MD -MF variant.d "
       "-I/x/labs -isystem /x/own "
      "-isystem /x/own/emulator/device/include -include emulator/device/runtime.h -include hip/hip_runtime.h -x c++ "
      "/x/gpu_a.hip.cpp -o variant.ii");
}

TEST(Hip, TheSourcesThatItCompilesAreThere) {
  const fs::path root = HARNESS_SOURCE_DIR;
  const BuildInput input = {.labs = root / "labs", .build_files = root, .source = "/x/gpu_a.cu", .architecture = "sm_90"};
  const Machine machine = {.tools = {{"hipcc", "/usr/bin/hipcc", "1"}, {"nvcc", "/x/nvcc", "1"}, {"g++", "/usr/bin/g++", "1"}}};
  for (const char* name : {"cuda", "hip", "emulated"}) {
    int sources = 0;
    for (const auto& step : find_toolchain(name)->recipe(input, machine).steps)
      for (const std::string& word : step)
        if (starts_with(word, root.string()) && (word.ends_with(".cu") || word.ends_with(".cpp"))) {
          ++sources;
          EXPECT_TRUE(fs::exists(word)) << word;
        }
    EXPECT_GT(sources, 0) << name;
  }
}

TEST(Hip, SaysWhatItLacks) {
  const Toolchain& hip = *find_toolchain("hip");
  EXPECT_EQ(hip.lacks("cublas"), "cuBLAS is NVIDIA's alone; its counterpart hipBLAS has no variant yet");
  EXPECT_EQ(hip.lacks("cudnn"), "cuDNN is NVIDIA's alone; its counterpart MIOpen has no variant yet");
  EXPECT_EQ(hip.lacks("wmma"), "tensor cores (mma.h) are NVIDIA's alone");
  EXPECT_EQ(hip.lacks("wgmma"), "Hopper's tensor cores (wgmma) are NVIDIA's alone");
  EXPECT_EQ(hip.lacks("threads"), std::nullopt);
  EXPECT_EQ(hip.unable(Machine{}), "hipcc is not installed (sudo apt-get install hipcc)");
}

TEST(Hip, AnArchitectureThatHipccDoesNotKnow) {
  const Machine machine = inspect_machine();
  if (!find_tool(machine, "hipcc")) GTEST_SKIP() << "hipcc is not installed";
  const Toolchain& hip = *find_toolchain("hip");
  EXPECT_TRUE(hip.check_architecture("gfx906,gfx90a:xnack+,gfx1030", machine));
  const Done refused = hip.check_architecture("gfx906,gfx90x", machine);
  ASSERT_FALSE(refused);
  const std::string& text = refused.error().message;
  EXPECT_TRUE(starts_with(text, "--gpu-arch \"gfx90x\": hipcc does not know it (did you mean \"gfx90")) << text;
  EXPECT_NE(text.find(", gfx90a, "), std::string::npos) << text;
  EXPECT_EQ(text.find("generic"), std::string::npos) << text;
}

}  // namespace
}  // namespace harness
