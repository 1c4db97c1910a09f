// The probe of a device as the worker that does nothing, on the emulated one: the same requests go to a real GPU.
#include "harness/engine/gpu_probe.h"

#include <gtest/gtest.h>

#include <cstring>

#include "harness/base/embedded.h"
#include "harness/check/layer_sum_for_test.h"

namespace harness {
namespace {

class GpuProbe : public testing::Test {
 protected:
  GpuProbe() {
    context_.options = &options_;
    context_.root = HARNESS_SOURCE_DIR;
    context_.cache = fs::path(HARNESS_BUILD_DIR) / "cache";  // the emulated device takes half a minute to compile
    context_.machine = inspect_machine();
    context_.build_files = *unpack("build", context_.cache);
    context_.launcher = fs::path(HARNESS_BUILD_DIR) / "harness-launcher";
    context_.worker = fs::path(HARNESS_BUILD_DIR) / "harness-worker";
    context_.sandbox = {std::shared_ptr<void>(), *find_sandbox("none")};  // owned by the table
    context_.gpu_toolchain = find_toolchain("emulated");
  }
  RunOptions options_;
  Context context_;
};

// An output that is read is refreshed too, and whoever does nothing leaves it so, the late elements included.
TEST_F(GpuProbe, FindsTheDataThatWeMake) {
  auto worker = start_gpu_probe(context_, Dtype::f64);
  ASSERT_TRUE(worker) << worker.error().message;
  const auto problem = std::make_shared<LayerSum>(Dtype::f64, LayerSum::Shape{2, 13, 27, 29, Role::inout});
  const auto inputs = Inputs::draw(problem, Fill::reals, 3, Edge::middle);
  auto returned = Returned::make(*inputs, protocol::Placement::device);
  ASSERT_TRUE(inputs && returned);
  ASSERT_TRUE(worker->load(*inputs, *returned, protocol::Placement::device, 30));
  for (const int calls : {1, 3}) {
    const auto batch = worker->run(calls, protocol::Cache::cold, {Data::Kind::fresh, 77}, 30);
    ASSERT_TRUE(batch) << batch.error().message;
    EXPECT_EQ(batch->call_ms.size(), static_cast<size_t>(calls));
    ASSERT_TRUE(worker->fetch(30));
    const auto wanted = inputs->refreshed(77, calls - 1, Touched::yes);
    const auto early = inputs->refreshed(77, calls - 1, Touched::no);
    const auto bytes = static_cast<size_t>(problem->output().bytes(Dtype::f64));
    EXPECT_EQ(std::memcmp(returned->output().data(), wanted->regions().back().data(), bytes), 0);
    EXPECT_NE(std::memcmp(returned->output().data(), early->regions().back().data(), bytes), 0);
    EXPECT_EQ(returned->damage(*wanted).message, "");  // the inputs, too, and what pads them
  }
  // What was kept of a timed call is not taken for the output of a later one.
  ASSERT_TRUE(worker->run(1, protocol::Cache::cold, {Data::Kind::restored}, 30));
  ASSERT_TRUE(worker->fetch(30));
  EXPECT_EQ(std::memcmp(returned->output().data(), inputs->regions().back().data(),
                        static_cast<size_t>(problem->output().bytes(Dtype::f64))),
            0);
}

}  // namespace
}  // namespace harness
