// Single timed calls of a real worker, which computes nothing.
#include <gtest/gtest.h>

#include "harness/base/parallel.h"
#include "harness/check/layer_sum_for_test.h"
#include "harness/client/client.h"

namespace harness {
namespace {

constexpr double timeout_s = 30;

class Turns : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    WorkerSetup setup;
    setup.sandbox = *find_sandbox("none");
    setup.launcher = fs::path(HARNESS_BUILD_DIR) / "harness-launcher";
    setup.program = fs::path(HARNESS_BUILD_DIR) / "harness-worker";
    setup.rights = Rights::compute;
    setup.cpus = usable_cpus();
    // With fewer cores than there are, the harness spins on another one; with all of them it sleeps.
    if (GetParam() == 1) setup.cpus.erase(setup.cpus.begin(), setup.cpus.end() - 1);
    auto worker = Worker::start(setup);
    ASSERT_TRUE(worker) << worker.error().message;
    ASSERT_TRUE(worker->open(setup, timeout_s));
    worker_ = std::make_unique<Worker>(*std::move(worker));
    ASSERT_TRUE(worker_->load(inputs_, returned_, protocol::Placement::mapped, timeout_s));
  }

  Inputs inputs_ = *Inputs::draw(std::make_shared<LayerSum>(Dtype::f32, LayerSum::Shape{2, 13, 7, 9, Role::inout}),
                                 Fill::reals, 3, Edge::middle);
  ReturnedRegions returned_ = *ReturnedRegions::make(inputs_, protocol::Placement::mapped);
  std::unique_ptr<Worker> worker_;
};

TEST_P(Turns, EachCallIsTimedOnNewData) {
  ASSERT_TRUE(worker_->start_turns());
  for (const WriteData when : {WriteData::worker_sleeps, WriteData::worker_waits, WriteData::worker_reads}) {
    for (uint64_t seed = 0; seed < 20; ++seed) {
      const auto write = [&] {
        inputs_.redraw(seed);
        returned_.reset(inputs_);
      };
      const auto timed = worker_->timed_call({when, write}, timeout_s);
      ASSERT_TRUE(timed) << timed.error().message;
      EXPECT_GT(timed->call_ms, 0);
      EXPECT_GE(timed->awake_ms, timed->call_ms);
      EXPECT_EQ(returned_.damage(inputs_).message, "");
    }
  }
  ASSERT_TRUE(worker_->end_turns(timeout_s));
}

TEST_P(Turns, TheLastDataComeAfterTheWorkerHasReadTheOthers) {
  ASSERT_TRUE(worker_->start_turns());
  std::vector<std::string> steps;
  AroundCall around{WriteData::worker_reads};
  around.write = [&] { steps.push_back("write"); };
  around.write_last = [&] { steps.push_back("write last"); };
  around.read = [&] { steps.push_back("read"); };
  const auto timed = worker_->timed_call(around, timeout_s);
  ASSERT_TRUE(timed) << timed.error().message;
  EXPECT_EQ(steps, (std::vector<std::string>{"write", "write last", "read"}));
  EXPECT_GT(timed->read_ms, 0);
  if (GetParam() == 1 && usable_cores() > 1) {
    EXPECT_GT(timed->touch_ms, 0);
    EXPECT_GE(timed->awake_ms, timed->call_ms + timed->touch_ms);
  }
}

TEST_P(Turns, BetweenTurnsItAnswersRequestsAgain) {
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(worker_->start_turns());
    ASSERT_TRUE(worker_->timed_call({}, timeout_s));
    ASSERT_TRUE(worker_->end_turns(timeout_s));
    ASSERT_TRUE(worker_->run(protocol::Cache::hot, {}, timeout_s));
  }
}

TEST_P(Turns, ARequestEndsThem) {
  ASSERT_TRUE(worker_->start_turns());
  ASSERT_TRUE(worker_->timed_call({}, timeout_s));
  ASSERT_TRUE(worker_->load(inputs_, returned_, protocol::Placement::mapped, timeout_s));
  ASSERT_TRUE(worker_->start_turns());
  EXPECT_TRUE(worker_->timed_call({}, timeout_s));
}

TEST_P(Turns, AWorkerThatSleepsUsesNoProcessorTime) {
  ASSERT_TRUE(worker_->start_turns());
  ASSERT_TRUE(worker_->timed_call({}, timeout_s));
  usleep(10'000);
  const auto before = worker_->processor_ms();
  usleep(100'000);
  const auto after = worker_->processor_ms();
  ASSERT_TRUE(before && after);
  EXPECT_GT(*before, 0);
  EXPECT_EQ(*before, *after);
}

/// Only a worker beside a core of the harness's own waits with its core.
class TurnsOnTwoCores : public Turns {};

TEST_P(TurnsOnTwoCores, APausedWorkerDoesNotCompute) {
  if (usable_cores() == 1) GTEST_SKIP() << "needs two cores";
  ASSERT_TRUE(worker_->start_turns());
  std::optional<double> before, after;
  const auto write = [&] {  // meanwhile the worker waits for its release, and does not sleep
    worker_->pause();
    usleep(50'000);
    before = worker_->processor_ms();
    usleep(50'000);
    after = worker_->processor_ms();
  };
  EXPECT_EQ(worker_->timed_call({WriteData::worker_waits, write}, 0.1).error().status, Status::TIMEOUT);
  ASSERT_TRUE(before && after);
  EXPECT_EQ(*before, *after);
}

INSTANTIATE_TEST_SUITE_P(Waiting, TurnsOnTwoCores, testing::Values(1));
INSTANTIATE_TEST_SUITE_P(Waiting, Turns, testing::Values(1, 2),
                         [](const auto& param) { return param.param == 1 ? "Spins" : "Sleeps"; });

}  // namespace
}  // namespace harness
