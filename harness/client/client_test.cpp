// Replies that harness-worker never sends. The process is a real one that has ended.
#include "harness/client/client.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>
#include <limits>

#include "harness/kernel/test_kernel.h"

namespace harness {
namespace {

constexpr double timeout_s = 5;
const std::string nonsense = "its process answered nonsense: did it write to descriptor 3?";

class SmallProblem : public TestProblem {
 public:
  explicit SmallProblem(size_t blob_bytes = 8) : TestProblem(Dtype::f32, {}), blob_(blob_bytes) {}
  std::span<const std::byte> blob() const override { return blob_; }
  const std::vector<BufferSpec>& buffers() const override { return buffers_; }

 private:
  std::vector<std::byte> blob_;
  std::vector<BufferSpec> buffers_ = {{"A", Role::input, 3, 4, 4}, {"C", Role::output, 3, 2, 2}};
};

class Liar : public testing::Test {
 protected:
  void SetUp() override {
    SandboxRequest request;
    request.command = {"/bin/true"};
    auto child = Child::start(**find_sandbox("none"), request, "/bin/true");
    ASSERT_TRUE(child && child->wait(10));
    int pair[2];
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair), 0);
    const int yes = 1;
    ASSERT_EQ(setsockopt(pair[0], SOL_SOCKET, SO_PASSCRED, &yes, sizeof yes), 0);
    worker_ = std::make_unique<Worker>(std::make_shared<Child>(*std::move(child)), pair[0]);
    other_end_ = pair[1];
  }
  void TearDown() override { close(other_end_); }

  template <class Reply>
  void answer(protocol::Op op, Reply reply, protocol::Outcome outcome = protocol::Outcome::ok) {
    reply.reply.op = op;
    reply.reply.outcome = outcome;
    ASSERT_EQ(send(other_end_, &reply, sizeof reply, 0), static_cast<ssize_t>(sizeof reply));
  }
  Tried<Loaded> load() { return worker_->load(inputs_, returned_, protocol::Placement::mapped, timeout_s); }
  Tried<Answered> run() { return worker_->run(protocol::Cache::hot, Data{}, timeout_s); }

  Inputs inputs_ = *Inputs::draw(std::make_shared<SmallProblem>(), Fill::integers, 1, Edge::end);
  ReturnedRegions returned_ = *ReturnedRegions::make(inputs_, protocol::Placement::mapped);
  std::unique_ptr<Worker> worker_;
  int other_end_ = -1;
};

// A pipe holds 64 KiB that nobody has read. What is in it when the process ends is not lost.
TEST(Printed, IsThereToTheLastByteWhenTheProcessAnswersAndWhenItHasEnded) {
  for (int i = 0; i < 20; ++i) {
    int pair[2];
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair), 0);
    SandboxRequest request;
    request.command = {"/bin/sh", "-c", "printf '%060000d' 0; echo >&3; sleep 100"};
    request.channel = pair[1];
    auto child = Child::start(**find_sandbox("none"), request, fs::path(HARNESS_BUILD_DIR) / "harness-launcher");
    ASSERT_TRUE(child);
    close(pair[1]);
    Worker worker(std::make_shared<Child>(*std::move(child)), pair[0]);
    char printed = 0;
    ASSERT_EQ(recv(pair[0], &printed, 1, 0), 1);
    EXPECT_EQ(worker.printed().size(), 60000u);
    EXPECT_EQ(worker.end().size(), 60000u);
  }
}

// Otherwise it would wait for room in the channel for ever.
TEST_F(Liar, AnswersWithoutReadingWhatItIsAsked) {
  protocol::RunReply reply;
  for (int i = 0; i < 100'000; ++i) {
    answer(protocol::Op::run, reply);
    const auto ran = run();
    if (ran) continue;
    EXPECT_EQ(ran.error().status, Status::CRASHED);
    EXPECT_EQ(ran.error().message, nonsense);
    EXPECT_GT(i, 10);
    return;
  }
  FAIL() << "its channel never fills";
}

TEST_F(Liar, AnswersAnotherQuestion) {
  answer(protocol::Op::fetch, protocol::FetchReply{});
  EXPECT_EQ(run().error().message, nonsense);
}

TEST_F(Liar, IsTooShort) {
  ASSERT_EQ(send(other_end_, "PASSED", 6, 0), 6);
  EXPECT_EQ(run().error().message, nonsense);
  ASSERT_EQ(send(other_end_, "", 0, 0), 0);
  EXPECT_EQ(run().error().message, nonsense);
}

TEST_F(Liar, NamesTimesThatAreNone) {
  protocol::RunReply ran;
  ran.first_ms = std::numeric_limits<double>::quiet_NaN();  // not a number
  answer(protocol::Op::run, ran);
  EXPECT_EQ(run().error().message, nonsense);
  protocol::LoadReply loaded;
  loaded.in_ms = -1;
  answer(protocol::Op::load, loaded);
  EXPECT_EQ(load().error().message, nonsense);
  protocol::FetchReply fetched;
  fetched.out_ms = std::numeric_limits<double>::infinity();
  answer(protocol::Op::fetch, fetched);
  EXPECT_EQ(worker_->fetch(timeout_s).error().message, nonsense);
}

TEST_F(Liar, FaultsNowhere) {
  answer(protocol::Op::load, protocol::LoadReply{});
  ASSERT_TRUE(load());
  protocol::FaultReply fault;
  fault.signal = 11;
  fault.buffer = 1;
  fault.byte = std::numeric_limits<int64_t>::min();
  fault.address = 1 << 20;
  answer(protocol::Op::run, fault, protocol::Outcome::fault);
  EXPECT_EQ(run().error().message, "segmentation fault while it ran");
}

// Without the check, the worker would compute on a part of the problem.
TEST_F(Liar, GetsNoProblemThatDoesNotFitIntoARequest) {
  const auto load_with_blob = [&](size_t bytes) {
    const auto inputs = Inputs::draw(std::make_shared<SmallProblem>(bytes), Fill::integers, 1, Edge::end);
    return worker_->load(*inputs, returned_, protocol::Placement::mapped, timeout_s);
  };
  const auto loaded = load_with_blob(protocol::max_problem_bytes + 1);
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().message, "the problem is too large for the worker");
  EXPECT_EQ(loaded.error().whose, Failure::Whose::machine);
  answer(protocol::Op::load, protocol::LoadReply{});
  EXPECT_TRUE(load_with_blob(protocol::max_problem_bytes));
}

}  // namespace
}  // namespace harness
