#include "harness/machine/system.h"

#include <gtest/gtest.h>

namespace harness {
namespace {

TEST(System, NamesTheDistribution) {
  EXPECT_EQ(parse_os_release(
                "NAME=\"Debian GNU/Linux\"\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\nID=debian\n"),
            "Debian GNU/Linux 12 (bookworm)");
  EXPECT_EQ(parse_os_release("ID=tiny\n"), "");
}

TEST(System, ReadsMeminfo) {
  const char* text =
      "MemTotal:       24683960 kB\nMemFree:        23000000 kB\nMemAvailable:   24284000 kB\n";
  EXPECT_EQ(meminfo_bytes(text, "MemTotal"), int64_t{24683960} * 1024);
  EXPECT_EQ(meminfo_bytes(text, "MemAvailable"), int64_t{24284000} * 1024);
  EXPECT_EQ(meminfo_bytes(text, "SwapTotal"), 0);
}

TEST(System, NamesHypervisors) {
  EXPECT_EQ(hypervisor_name("KVMKVMKVM"), "kvm");
  EXPECT_EQ(hypervisor_name("Microsoft Hv"), "hyper-v");
  EXPECT_EQ(hypervisor_name("bhyve bhyve "), "virtual machine");
}

TEST(System, AControlGroupLimitsTheMemory) {
  TemporaryFolder folder;
  const auto put = [&](const std::string& path, const std::string& text) {
    ASSERT_TRUE(make_folders((folder.path() / path).parent_path()));
    ASSERT_TRUE(write_file(folder.path() / path, text));
  };
  put("proc/meminfo", "MemTotal: 8388608 kB\nMemAvailable: 4194304 kB\n");
  put("proc/self/cgroup", "0::/\n");
  put("sys/fs/cgroup/memory.max", "1073741824\n");
  put("run/.containerenv", "");
  Machine machine;
  inspect_system(machine, folder.path());
  EXPECT_EQ(machine.memory_bytes, 1 << 30);
  EXPECT_EQ(machine.available_bytes, 1 << 30);
  EXPECT_NE(machine.virtualization.find("container"), std::string::npos);
}

TEST(System, DescribesThisMachineWithoutItsName) {
  Machine machine;
  inspect_system(machine);
  EXPECT_GT(machine.memory_bytes, 64 << 20);
  EXPECT_GT(machine.available_bytes, 0);
  EXPECT_LE(machine.available_bytes, machine.memory_bytes);
  EXPECT_FALSE(machine.kernel.empty());
  EXPECT_EQ(machine.hostname_hash.size(), 8u);
  EXPECT_EQ(machine.hostname_hash.find_first_not_of("0123456789abcdef"), std::string::npos);
}

}  // namespace
}  // namespace harness
