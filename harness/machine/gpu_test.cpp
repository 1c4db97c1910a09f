#include "harness/machine/gpu.h"

#include <gtest/gtest.h>

#include "harness/machine/gpu_watch.h"

namespace harness {
namespace {

const std::vector<GpuField> kFields = {{"index", "index", true},
                                       {"name", "name"},
                                       {"uuid", "uuid"},
                                       {"memory.total", "memory_mib", true},
                                       {"power.limit", "power_limit_w", true},
                                       {"ecc.mode.current", "ecc"},
                                       {"clocks_event_reasons.active", "throttle_reasons"}};

TEST(NvidiaSmi, ReadsOneObjectAGpu) {
  const auto gpus = parse_nvidia_smi(
      "0, NVIDIA H200, GPU-7518f6b0-991f-ce2b-3d37-c779130d3137, 143771, 700.00, Enabled, "
      "0x0000000000000001\n"
      "1, NVIDIA H200, GPU-b5169cef-2205-c30e-f2b3-220cfa14bafd, 143771, 700.00, Enabled, "
      "0x0000000000000000\n",
      kFields);
  ASSERT_EQ(gpus.size(), 2u);
  EXPECT_EQ(
      gpus[0].dump(),
      R"({"ecc":"Enabled","index":0.0,"memory_mib":143771.0,"name":"NVIDIA H200","power_limit_w":700.0,)"
      R"("throttle_reasons":"0x0000000000000001","uuid":"GPU-7518f6b0-991f-ce2b-3d37-c779130d3137"})");
  EXPECT_EQ(gpus[1]["index"], 1);
}

// As printed by nvidia-smi 580.159.04 on an H200; only the end of the uuid is made up.
TEST(NvidiaSmi, ReadsALineThatWasRecorded) {
  const std::vector<GpuField> fields = {{"index", "index", true},
                                        {"name", "name"},
                                        {"uuid", "uuid"},
                                        {"driver_version", "driver"},
                                        {"memory.total", "memory_mib", true},
                                        {"compute_cap", "compute_capability"},
                                        {"clocks.sm", "sm_mhz", true},
                                        {"mig.mode.current", "mig"},
                                        {"clocks_event_reasons.active", "throttle_reasons"}};
  const auto gpus = parse_nvidia_smi(
      "0, NVIDIA H200, GPU-c653ed6b-0000-0000-0000-000000000000, 580.159.04, 143771, 9.0, 1980, Disabled, "
      "0x0000000000000001\n",
      fields);
  ASSERT_EQ(gpus.size(), 1u);
  EXPECT_EQ(gpus[0]["driver"], "580.159.04");
  EXPECT_EQ(gpus[0]["compute_capability"], "9.0");
  EXPECT_EQ(gpus[0]["sm_mhz"], 1980);
  EXPECT_EQ(gpus[0]["mig"], "Disabled");
}

TEST(NvidiaSmi, LeavesOutWhatTheToolCannotTell) {
  const auto gpus = parse_nvidia_smi(
      "0, NVIDIA GeForce RTX 3080, GPU-8fe3a97d, 10240, [N/A], [Not Supported], N/A\n", kFields);
  ASSERT_EQ(gpus.size(), 1u);
  EXPECT_EQ(gpus[0].dump(),
            R"({"index":0.0,"memory_mib":10240.0,"name":"NVIDIA GeForce RTX 3080","uuid":"GPU-8fe3a97d"})");
}

TEST(NvidiaSmi, IgnoresLinesOfAnotherShape) {
  EXPECT_TRUE(parse_nvidia_smi("No devices were found\n", kFields).empty());
  EXPECT_TRUE(parse_nvidia_smi("", kFields).empty());
}

TEST(NvidiaSmi, UnderstandsTheRefusalOfAnOlderTool) {
  EXPECT_EQ(refused_field("Field \"compute_cap\" is not a valid field to query.\n\n"), "compute_cap");
  EXPECT_FALSE(
      refused_field("NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver."));
  EXPECT_FALSE(refused_field("\" is not a valid field to query Field \""));
}

TEST(Amd, NamesArchitecturesAsTheCompilersDo) {
  EXPECT_EQ(gfx_name(90006), "gfx906");
  EXPECT_EQ(gfx_name(90010), "gfx90a");
  EXPECT_EQ(gfx_name(90402), "gfx942");
  EXPECT_EQ(gfx_name(100300), "gfx1030");
}

TEST(Amd, ReadsTheNodesOfTheComputeDriver) {
  TemporaryFolder folder;
  const auto put = [&](const std::string& path, const std::string& text) {
    const fs::path full = folder.path() / "sys/class/kfd/kfd/topology/nodes" / path;
    ASSERT_TRUE(make_folders(full.parent_path()));
    ASSERT_TRUE(write_file(full, text));
  };
  put("0/properties", "cpu_cores_count 64\nsimd_count 0\ngfx_target_version 0\n");
  put("1/properties",
      "cpu_cores_count 0\nsimd_count 240\nmem_banks_count 1\nwave_front_size 64\nsimd_per_cu 4\n"
      "gfx_target_version 90006\ndrm_render_minor 128\nunique_id 2394865171712\nmax_engine_clk_fcompute "
      "1801\n");
  put("1/name", "vega20\n");
  put("1/mem_banks/0/properties", "heap_type 1\nsize_in_bytes 17163091968\nflags 0\n");
  const auto gpus = amd_gpus(folder.path());
  ASSERT_EQ(gpus.size(), 1u);
  EXPECT_EQ(gpus[0].index, 0);
  EXPECT_EQ(gpus[0].vendor, "amd");
  EXPECT_EQ(gpus[0].name, "vega20");
  EXPECT_EQ(gpus[0].architecture, "gfx906");
  EXPECT_EQ(gpus[0].memory_bytes, 17163091968);
  EXPECT_EQ(gpus[0].uuid, "GPU-0000022d99167d00");
  EXPECT_EQ(gpus[0].details->at("compute_units"), 60);
  EXPECT_EQ(gpus[0].details->at("wavefront_size"), 64);
}

TEST(Amd, NoDriverNoGpus) {
  TemporaryFolder folder;
  EXPECT_TRUE(amd_gpus(folder.path()).empty());
}

TEST(GpuWatch, PowerCapAndIdleAreNoSlowdown) {
  EXPECT_EQ(slowing_reasons(0x1 | 0x4), std::nullopt);
  EXPECT_EQ(slowing_reasons(0x4 | 0x8 | 0x40), "hardware slowdown, too hot (hardware)");
}

}  // namespace
}  // namespace harness
