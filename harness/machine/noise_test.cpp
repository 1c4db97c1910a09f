#include "harness/machine/noise.h"

#include <gtest/gtest.h>

#include "harness/machine/machine.h"

namespace harness {
namespace {

TEST(BusyMachine, ALoadThatIsNoNumberIsUnknown) {
  EXPECT_EQ(busy_machine(nlohmann::json{{"load_1min", "x"}}, 2), std::nullopt);
  EXPECT_EQ(busy_machine(nlohmann::json::object(), 2), std::nullopt);
  EXPECT_EQ(busy_machine(nlohmann::json{{"load_1min", 9.0}}, 2),
            "this machine is busy (load 9 on 2 cores): times can be longer and scatter more");
}

class Noise : public ::testing::Test {
 protected:
  void put(const std::string& path, const std::string& text) {
    ASSERT_TRUE(make_folders((folder_.path() / path).parent_path()));
    ASSERT_TRUE(write_file(folder_.path() / path, text));
  }
  TemporaryFolder folder_;
};

TEST_F(Noise, IsEmptyWhereNothingCanBeRead) { EXPECT_EQ(cpu_noise(folder_.path()).dump(), "{}"); }

TEST_F(Noise, ReadsWhatTheKernelWrites) {
  put("proc/loadavg", "0.72 0.57 0.28 1/91 9507\n");
  put("proc/pressure/cpu",
      "some avg10=3.54 avg60=1.47 avg300=0.47 total=5519305\nfull avg10=0.00 avg60=0.00\n");
  put("proc/stat", "cpu  25152 0 4991 330132 814 0 82 300 0 0\ncpu0 8808 0 1720 170002 33 0 11 140 0 0\n");
  put("proc/meminfo", "MemTotal: 2048 kB\nMemAvailable: 1024 kB\n");
  put("proc/vmstat", "nr_free_pages 1\npswpin 4\npswpout 5\n");
  put("sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count", "2\n");
  put("sys/devices/system/cpu/cpu1/thermal_throttle/core_throttle_count", "1\n");
  put("sys/devices/system/cpu/cpu1/thermal_throttle/package_throttle_count", "4\n");
  EXPECT_EQ(cpu_noise(folder_.path()).dump(),
            R"({"cpu_pressure_10s_percent":3.54,"heat_throttle_events":7,"load_1min":0.72,)"
            R"("memory_available_bytes":1048576,"stolen_s":3.0,"swapped_in_pages":4,"swapped_out_pages":5})");
}

TEST(CpuTime, CountsWorkAndTheft) {
  const auto time = parse_cpu_time("cpu  100 20 30 9999 888 4 6 50 7 0\ncpu0 1 1 1 1 1 1 1 1\n");
  ASSERT_TRUE(time);
  EXPECT_DOUBLE_EQ(time->busy_s, 1.6);  // 160 ticks; a guest's are part of user
  EXPECT_DOUBLE_EQ(time->stolen_s, 0.5);
  EXPECT_FALSE(parse_cpu_time("cpu 1 2 3\n"));
  EXPECT_FALSE(parse_cpu_time(""));
}

TEST_F(Noise, ReadsThisMachine) {
  const auto noise = noise_snapshot(Machine{});
  EXPECT_GE(noise->at("load_1min").get<double>(), 0);
  EXPECT_GT(noise->at("memory_available_bytes").get<int64_t>(), 0);
  EXPECT_FALSE(noise->contains("gpus"));
}

}  // namespace
}  // namespace harness
