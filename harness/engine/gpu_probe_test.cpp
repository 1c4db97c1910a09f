// The GPU probe as the idle control, on the emulated device. A real GPU gets the same requests.
#include "harness/engine/gpu_probe.h"

#include <gtest/gtest.h>

#include <cstring>

#include "harness/base/embedded.h"
#include "harness/check/layer_sum_for_test.h"

namespace harness {
namespace {

class GpuProbeTest : public testing::Test {
 protected:
  GpuProbeTest() {
    lab_.root = HARNESS_SOURCE_DIR;
    lab_.cache = fs::path(HARNESS_BUILD_DIR) / "cache";  // the emulated device takes half a minute to compile
    lab_.machine = inspect_machine();
    lab_.build_files = *unpack("build", lab_.cache);
    lab_.worker = fs::path(HARNESS_BUILD_DIR) / "harness-worker";
    lab_.launcher = fs::path(HARNESS_BUILD_DIR) / "harness-launcher";
    lab_.sandbox = {std::shared_ptr<void>(), *find_sandbox("none")};  // owned by the table
    lab_.gpu_toolchain = find_toolchain("emulated");
  }
  PlacedLab lab_;
};

// An output that is also an input gets new data too. A worker that computes nothing returns it unchanged.
TEST_F(GpuProbeTest, ReturnsTheDataThatTheHarnessMakes) {
  auto probe = start_gpu_probe(lab_);
  ASSERT_TRUE(probe) << probe.error().message;
  Worker* worker = &probe->worker;
  const auto problem = std::make_shared<LayerSum>(Dtype::f64, LayerSum::Shape{2, 13, 27, 29, Role::inout});
  const auto inputs = Inputs::draw(problem, Fill::reals, 3, Edge::middle);
  auto returned = ReturnedRegions::make(*inputs, protocol::Placement::device);
  ASSERT_TRUE(inputs && returned);
  ASSERT_TRUE(worker->load(*inputs, *returned, protocol::Placement::device, 30));
  for (const uint64_t salt : {77, 177}) {
    const auto call = worker->run(protocol::Cache::cold, {Data::Kind::fresh, salt}, 30);
    ASSERT_TRUE(call) << call.error().message;
    ASSERT_TRUE(worker->fetch(30));
    EXPECT_TRUE(worker->verify_fingerprint(*returned));
    const auto wanted = inputs->refreshed(salt);
    const auto other = inputs->refreshed(salt + 1);
    const auto bytes = static_cast<size_t>(problem->output().bytes(Dtype::f64));
    EXPECT_EQ(std::memcmp(returned->output().data(), wanted->regions().back().data(), bytes), 0);
    EXPECT_NE(std::memcmp(returned->output().data(), other->regions().back().data(), bytes), 0);
    EXPECT_EQ(returned->damage(*wanted).message, "");  // also of the inputs and their padding
  }
  returned->output().data()[0] ^= std::byte{1};
  const auto changed = worker->verify_fingerprint(*returned);
  ASSERT_FALSE(changed);
  EXPECT_EQ(changed.error().message,
            problem->output().name + " changed after the call had returned: does work go on, on another stream?");
  ASSERT_TRUE(worker->run(protocol::Cache::cold, {Data::Kind::restored}, 30));
  ASSERT_TRUE(worker->fetch(30));
  EXPECT_EQ(std::memcmp(returned->output().data(), inputs->regions().back().data(),
                        static_cast<size_t>(problem->output().bytes(Dtype::f64))),
            0);
}

TEST_F(GpuProbeTest, SaysWhatTheDeviceHas) {
  const auto probe = start_gpu_probe(lab_);
  ASSERT_TRUE(probe) << probe.error().message;
  EXPECT_EQ(probe->capacity.threads_per_block, 1024);
  EXPECT_EQ(probe->capacity.grid[0], 2147483647);
  EXPECT_EQ(probe->capacity.registers_per_block, 65536);
  EXPECT_GT(probe->capacity.shared_bytes_per_multiprocessor, probe->capacity.shared_bytes_per_block);
}

}  // namespace
}  // namespace harness
