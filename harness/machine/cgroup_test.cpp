#include "harness/machine/cgroup.h"

#include <gtest/gtest.h>

namespace harness {
namespace {

// Trees of the three kinds, with the texts that the kernel writes there.
class Cgroup : public ::testing::Test {
 protected:
  void put(const std::string& path, const std::string& text) {
    ASSERT_TRUE(make_folders((folder_.path() / path).parent_path()));
    ASSERT_TRUE(write_file(folder_.path() / path, text));
  }
  CgroupLimits limits() { return cgroup_limits(folder_.path()); }

 private:
  TemporaryFolder folder_;
};

TEST_F(Cgroup, NoFilesNoLimits) {
  EXPECT_FALSE(limits().cpus);
  EXPECT_FALSE(limits().memory_bytes);
}

TEST_F(Cgroup, VersionTwo) {
  put("proc/self/cgroup", "0::/user.slice/job\n");
  put("sys/fs/cgroup/user.slice/job/cpu.max", "150000 100000\n");
  put("sys/fs/cgroup/user.slice/job/memory.max", "max\n");
  put("sys/fs/cgroup/user.slice/cpu.max", "max 100000\n");
  put("sys/fs/cgroup/user.slice/memory.max", "1073741824\n");
  EXPECT_EQ(limits().cpus, 1.5);
  EXPECT_EQ(limits().memory_bytes, 1 << 30);
}

TEST_F(Cgroup, VersionOne) {
  put("proc/self/cgroup", "4:memory:/docker/abc\n3:cpu,cpuacct:/docker/abc\n1:name=systemd:/docker/abc\n");
  put("sys/fs/cgroup/cpu,cpuacct/docker/abc/cpu.cfs_quota_us", "400000\n");
  put("sys/fs/cgroup/cpu,cpuacct/docker/abc/cpu.cfs_period_us", "100000\n");
  put("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
  put("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
  put("sys/fs/cgroup/memory/docker/abc/memory.limit_in_bytes", "536870912\n");
  put("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_EQ(limits().cpus, 4);
  EXPECT_EQ(limits().memory_bytes, 512 << 20);
}

TEST_F(Cgroup, AContainerThatSeesOnlyItsOwnPartOfTheTree) {
  put("proc/self/cgroup", "3:cpu:/docker/abc\n0::/\n");
  put("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "200000\n");
  put("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
  put("sys/fs/cgroup/unified/cpu.max", "max 100000\n");
  EXPECT_EQ(limits().cpus, 2);
  EXPECT_FALSE(limits().memory_bytes);
}

TEST_F(Cgroup, UnlimitedVersionOneIsNoLimit) {
  put("proc/self/cgroup", "4:memory:/\n1:cpu:/\n");
  put("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
  put("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
  put("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_FALSE(limits().cpus);
  EXPECT_FALSE(limits().memory_bytes);
}

}  // namespace
}  // namespace harness
