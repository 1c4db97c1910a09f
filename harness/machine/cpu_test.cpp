#include "harness/machine/cpu.h"

#include <gtest/gtest.h>

#include "harness/base/parallel.h"

namespace harness {
namespace {

// Shortened records of the real file.
constexpr char kZen5[] = R"(processor	: 0
vendor_id	: AuthenticAMD
cpu family	: 26
model		: 2
model name	: AMD EPYC
stepping	: 1
cpu MHz		: 2596.122
flags		: fpu vme sse sse2 ht syscall pni ssse3 fma cx16 sse4_1 sse4_2 popcnt avx f16c hypervisor bmi1 avx2 bmi2 avx512f avx512dq avx_vnni avx512_bf16
bugs		: spectre_v1

processor	: 1
vendor_id	: AuthenticAMD
model name	: another
)";

constexpr char kArm[] = R"(processor	: 0
BogoMIPS	: 50.00
Features	: fp asimd evtstrm aes sve
CPU implementer	: 0x41
)";

TEST(Cpu, ReadsAnX86Description) {
  const CpuInfo cpu = parse_cpuinfo(kZen5);
  EXPECT_EQ(cpu.model, "AMD EPYC");
  EXPECT_EQ(cpu.vendor, "AuthenticAMD");
  EXPECT_TRUE(has_feature(cpu, "avx2"));
  EXPECT_TRUE(has_feature(cpu, "fma"));
  EXPECT_TRUE(has_feature(cpu, "avx512_bf16"));
  EXPECT_FALSE(has_feature(cpu, "avx512bw"));
  EXPECT_FALSE(has_feature(cpu, "hypervisor"));  // not arithmetic
}

TEST(Cpu, ReadsAnArmDescription) {
  const CpuInfo cpu = parse_cpuinfo(kArm);
  EXPECT_EQ(cpu.model, "");
  EXPECT_EQ(cpu.vendor, "0x41");
  EXPECT_EQ(cpu.features, (std::vector<std::string>{"asimd", "sve"}));
}

TEST(Cpu, ReadsCachesGovernorAndTurbo) {
  TemporaryFolder folder;
  const auto put = [&](const std::string& path, const std::string& text) {
    const fs::path full = folder.path() / "sys/devices/system/cpu" / path;
    ASSERT_TRUE(make_folders(full.parent_path()));
    ASSERT_TRUE(write_file(full, text));
  };
  const char* caches[][3] = {{"1", "Data", "48K"},
                             {"1", "Instruction", "32K"},
                             {"2", "Unified", "1024K"},
                             {"3", "Unified", "32768K"}};
  for (int i = 0; i < 4; ++i) {
    const std::string index = "cpu0/cache/index" + std::to_string(i) + "/";
    put(index + "level", caches[i][0]);
    put(index + "type", caches[i][1]);
    put(index + "size", caches[i][2]);
  }
  put("cpu0/cpufreq/scaling_governor", "performance\n");
  put("intel_pstate/no_turbo", "1\n");
  const CpuInfo cpu = inspect_cpu(folder.path());
  EXPECT_EQ(cpu.l1d_bytes, 48 << 10);
  EXPECT_EQ(cpu.l2_bytes, 1 << 20);
  EXPECT_EQ(cpu.l3_bytes, 32 << 20);
  EXPECT_EQ(cpu.governor, "performance");
  EXPECT_EQ(cpu.turbo, "off");
}

TEST(Cpu, AQuotaLimitsTheCoresButLeavesOne) {
  TemporaryFolder folder;
  ASSERT_TRUE(make_folders(folder.path() / "proc/self"));
  ASSERT_TRUE(make_folders(folder.path() / "sys/fs/cgroup"));
  ASSERT_TRUE(write_file(folder.path() / "proc/self/cgroup", "0::/\n"));
  ASSERT_TRUE(write_file(folder.path() / "sys/fs/cgroup/cpu.max", "50000 100000\n"));
  EXPECT_EQ(inspect_cpu(folder.path()).cores, 1);
  ASSERT_TRUE(write_file(folder.path() / "sys/fs/cgroup/cpu.max", "99900000 100000\n"));
  EXPECT_EQ(inspect_cpu(folder.path()).cores, usable_cores());
}

TEST(Cpu, DescribesThisMachine) {
  const CpuInfo cpu = inspect_cpu();
  EXPECT_GE(cpu.cores, 1);
  EXPECT_FALSE(cpu.features.empty());
}

}  // namespace
}  // namespace harness
