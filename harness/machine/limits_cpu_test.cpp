#include <gtest/gtest.h>

#include "harness/machine/limit_cache.h"
#include "harness/machine/machine.h"

namespace harness {
namespace {

TEST(CpuLimits, AreMeasuredForOneAndForAllCores) {
  Machine machine;
  machine.cpu = {.model = "test", .cores = 2, .l3_bytes = 4 << 20};
  machine.available_bytes = 64 << 20;  // keeps the buffers small
  const auto limits = cpu_limits(machine, "");
  ASSERT_TRUE(limits) << limits.error().message;
  std::string names;
  for (const MachineLimit& c : *limits) {
    names += c.name + "/" + std::to_string(c.threads) + " ";
    EXPECT_EQ(c.device, "cpu");
    EXPECT_GT(c.value, 1e8) << c.name;
    EXPECT_LT(c.value, 1e15) << c.name;
    EXPECT_FALSE(c.method.empty());
  }
  EXPECT_EQ(names, "fma_f32/1 fma_f64/1 copy/1 fma_f32/2 fma_f64/2 copy/2 ");
}

// As on a machine that was measured before, with values that no machine has.
class CachedLimits : public ::testing::Test {
 protected:
  void SetUp() override {
    machine_.cpu = {.model = "Some CPU", .cores = 1, .l3_bytes = 1 << 20};
    machine_.kernel = "6.1";
    machine_.hostname_hash = "0badcafe";
    machine_.available_bytes = 64 << 20;  // keeps the buffers small
  }
  void record(bool quiet, double copy = 1e18) {
    ASSERT_TRUE(write_limits(path(), key_,
                             {{"fma_f32", "cpu", 1, 1, "recorded", true},
                              {"fma_f64", "cpu", 1, 2, "recorded", true},
                              {"copy", "cpu", 1, copy, "recorded", quiet}}));
  }
  std::string path() const { return folder_.path() / "machine_limits.json"; }

  const std::string key_ = "0badcafe|Some CPU|1 cores|6.1|1";
  TemporaryFolder folder_;
  Machine machine_;
};

TEST_F(CachedLimits, AreNotMeasuredAgain) {
  record(true);
  const auto limits = cpu_limits(machine_, path());
  ASSERT_TRUE(limits);
  ASSERT_EQ(limits->size(), 3u);
  EXPECT_EQ(limits->at(0).value, 1);
  EXPECT_EQ(limits->at(2).value, 1e18);
  EXPECT_EQ(limits->at(2).method, "recorded");
}

TEST_F(CachedLimits, AnotherNodeOfTheSameModelHasItsOwn) {
  record(true);
  machine_.hostname_hash = "0ddba115";
  EXPECT_TRUE(cpu_limits(machine_, path(), Probing::known_only)->empty());
}

TEST_F(CachedLimits, ABusyOneIsMeasuredAgain) {
  record(false, 3);
  const auto limits = cpu_limits(machine_, path());
  ASSERT_TRUE(limits);
  const MachineLimit copy = limits->at(2);
  EXPECT_EQ(limits->at(0).value, 1);  // kept
  EXPECT_GT(copy.value, 1e6);
  EXPECT_EQ(read_limits(path(), key_)->at(2).value, copy.value);
}

TEST_F(CachedLimits, ABusyOneThatIsHigherKeepsItsValue) {
  record(false);
  const auto limits = cpu_limits(machine_, path());
  ASSERT_TRUE(limits);
  EXPECT_EQ(limits->at(2).value, 1e18);
  EXPECT_EQ(read_limits(path(), key_)->at(2).method, "recorded");
}

TEST_F(CachedLimits, OneThatACaseBeatsIsRaised) {
  record(true);
  auto limits = cpu_limits(machine_, path());
  ASSERT_TRUE(limits);
  MachineLimit& fma = limits->at(0);
  ASSERT_TRUE(raise_cpu_limit(machine_, path(), fma));
  EXPECT_GT(fma.value, 1e8);
  EXPECT_NE(fma.method.find("; 1 at first, until a case was faster"), std::string::npos) << fma.method;
  const auto kept = read_limits(path(), key_);
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->at(0).value, fma.value);
  EXPECT_EQ(kept->at(1).value, 2);
}

TEST_F(CachedLimits, ALowerValueRaisesNothing) {
  record(true);
  MachineLimit copy = cpu_limits(machine_, path())->at(2);
  ASSERT_TRUE(raise_cpu_limit(machine_, path(), copy));
  EXPECT_EQ(copy.value, 1e18);
  EXPECT_EQ(copy.method, "recorded");
  EXPECT_EQ(read_limits(path(), key_)->at(2).value, 1e18);
}

TEST_F(CachedLimits, AreWrittenWhenMeasured) {
  const auto limits = cpu_limits(machine_, path());
  ASSERT_TRUE(limits);
  const auto kept = read_limits(path(), key_);
  ASSERT_TRUE(kept);
  ASSERT_EQ(kept->size(), 3u);
  EXPECT_EQ(kept->at(1).value, limits->at(1).value);
}

TEST_F(CachedLimits, ACacheThatCannotBeWrittenCostsNothingElse) {
  ASSERT_TRUE(write_file(folder_.path() / "file", ""));
  const auto limits = cpu_limits(machine_, folder_.path() / "file" / "machine_limits.json");
  ASSERT_TRUE(limits);
  EXPECT_EQ(limits->size(), 3u);
}

}  // namespace
}  // namespace harness
