// run_shards() with an executor whose time is simulated: what a real cluster shows rarely, and a class of 10,000.
// tests/test_slurm.py has the rest, on a real Slurm.
#include "harness/cluster/run_shards.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace harness {
namespace {

using State = Task::State;

/// Ends a task `task_s` after its submission, in the way that `fate` says; `nodes` of them run at once.
class Simulated final : public Executor {
 public:
  std::string name() const override { return "simulated"; }
  std::string script(const JobArray&) const override { return ""; }

  Result<std::string> submit(const JobArray&, const std::vector<int>& shards,
                             const std::set<std::string>& avoid) override {
    ++submissions;
    avoided = avoid;
    for (const int shard : shards) tasks_.push_back({.job = std::to_string(submissions), .shard = shard});
    return std::to_string(submissions);
  }

  Result<std::vector<Task>> poll(const JobArray&) override {
    ++polls;
    if (polls == silent_at) return Error{"squeue: nobody answers"};
    const auto begun = static_cast<size_t>(now_s / task_s) * nodes;
    for (size_t i = 0; i < std::min(begun, tasks_.size()); ++i) {
      if (tasks_[i].state != State::WAITING && tasks_[i].state != State::STUCK) continue;
      tasks_[i].node = "n1";
      std::tie(tasks_[i].state, tasks_[i].word) = fate(tasks_[i]);
      if (tasks_[i].state == State::ENDED && !forgets) ended_.insert(tasks_[i].shard);
    }
    return forgets && begun > 0 ? std::vector<Task>() : tasks_;
  }

  Done cancel(const JobArray&) override { return ok(); }

  // The runs need no results: each has an error of its own, as for a config that cannot be read.
  Result<std::vector<RunOutcome>> collect(const JobArray& array, int shard) override {
    ++collects;
    std::vector<RunOutcome> outcomes;
    if (!ended_.contains(shard) || now_s < task_s + late_s) return outcomes;
    TRY_ASSIGN(const auto runs, read_shard(array.folder / std::to_string(shard)));
    for (const ShardRun& run : runs) outcomes.push_back({.key = run.key, .node = "n1", .error = "done"});
    return outcomes;
  }

  std::function<std::pair<State, std::string>(const Task&)> fate = [](const Task&) {
    return std::pair(State::ENDED, std::string("COMPLETED"));
  };
  double now_s = 0, task_s = 60;
  double late_s = 0;  // until the first node's results are seen
  size_t nodes = 4;
  int submissions = 0, polls = 0, collects = 0, silent_at = -1;
  bool forgets = false;  // as Slurm does some minutes after the end
  std::set<std::string> avoided;

 private:
  std::vector<Task> tasks_;
  std::set<int> ended_;
};

class RunShards : public ::testing::Test {
 protected:
  RunOutcomes run(int runs, int per_shard) {
    ShardsPlan plan{.label = "small", .home = folder_.path() / "shards", .results = folder_.path() / "results"};
    plan.per_shard = per_shard;
    for (int i = 0; i < runs; ++i) plan.runs.push_back({fmt::format("run{}", i), {}});
    plan.wait = [this](double seconds) { executor.now_s += seconds; };
    auto outcomes = run_shards(executor, plan, [this](const JobProgress& p) {
      if (!p.note.empty()) notes.push_back(p.note);
    });
    EXPECT_TRUE(outcomes) << outcomes.error().message;
    return outcomes ? *outcomes : RunOutcomes();
  }
  std::string log() const { return (fs::absolute(folder_.path()) / "shards/0.log").string(); }

  TemporaryFolder folder_;
  Simulated executor;
  std::vector<std::string> notes;
};

TEST_F(RunShards, AJobOutOfTimeIsSubmittedTwiceMoreOnAnyNode) {
  executor.fate = [](const Task&) { return std::pair(State::OUT_OF_TIME, std::string("TIMEOUT")); };
  const auto outcomes = run(3, 2);
  EXPECT_EQ(outcomes.at("run0").error,
            fmt::format("job 3_0 died on n1: TIMEOUT, for the third time; all it printed is in {}", log()));
  EXPECT_EQ(executor.submissions, 3);
  EXPECT_TRUE(executor.avoided.empty());
  EXPECT_EQ(notes.at(0), "submitted job 1: 2 tasks");
  EXPECT_EQ(notes.at(1), "job 1_0 died on n1: TIMEOUT");
}

TEST_F(RunShards, WhyAJobCannotStartIsToldOnce) {
  int asked = 0;
  executor.fate = [&](const Task&) {
    return ++asked < 4 ? std::pair(State::STUCK, std::string("BadConstraints; ask for less"))
                       : std::pair(State::ENDED, std::string("COMPLETED"));
  };
  EXPECT_EQ(run(1, 1).at("run0").error, "done");
  EXPECT_EQ(notes, (std::vector<std::string>{"submitted job 1: 1 task",
                                             "job 1_0 cannot start: BadConstraints; ask for less"}));
}

TEST_F(RunShards, ANodeOnWhichAJobDiedIsAvoided) {
  executor.fate = [](const Task& task) {
    return task.job == "1" ? std::pair(State::DIED, std::string("NODE_FAIL"))
                           : std::pair(State::ENDED, std::string("COMPLETED"));
  };
  EXPECT_EQ(run(1, 1).at("run0").error, "done");
  EXPECT_EQ(executor.avoided, std::set<std::string>{"n1"});
}

TEST_F(RunShards, PreemptionIsNoFailure) {
  executor.fate = [](const Task& task) {
    return std::stoi(task.job) < 6 ? std::pair(State::PREEMPTED, std::string("PREEMPTED"))
                                   : std::pair(State::ENDED, std::string("COMPLETED"));
  };
  EXPECT_EQ(run(1, 1).at("run0").error, "done");
  EXPECT_EQ(executor.submissions, 6);
}

TEST_F(RunShards, AForgottenJobWithoutResultsIsSubmittedAgain) {
  executor.forgets = true;
  EXPECT_EQ(run(1, 1).at("run0").error,
            fmt::format("job 3_0 ended without results, for the third time; all it printed is in {}", log()));
  EXPECT_GE(executor.now_s, 3 * 60) << "a slow file system gets a minute each time";
}

TEST_F(RunShards, ASchedulerThatDoesNotAnswerIsAskedAgain) {
  executor.silent_at = 2;
  EXPECT_EQ(run(1, 1).at("run0").error, "done");
  EXPECT_EQ(notes.at(1), "squeue: nobody answers; still trying");
}

TEST_F(RunShards, ASlowFileSystemIsWaitedFor) {
  executor.late_s = 50;
  EXPECT_EQ(run(1, 1).at("run0").error, "done");
  EXPECT_EQ(executor.submissions, 1) << "nothing runs twice";
}

// docs/cluster.md has these figures: 69.4 s per submission, and jobs of 10 and of 5.
TEST_F(RunShards, AClassOf300OnFourNodes) {
  executor.task_s = 694;
  run(300, 10);
  EXPECT_NEAR(executor.now_s, 8 * 694, 10) << "93 min: 30 jobs in 8 turns";
}

TEST_F(RunShards, AClassOf300InSmallerJobs) {
  executor.task_s = 347;
  run(300, 5);
  EXPECT_NEAR(executor.now_s, 15 * 347, 10) << "87 min: 60 jobs in 15 turns";
}

// What the submitting process does grows with the time that the jobs take, not with its square.
TEST_F(RunShards, TenThousandSubmissions) {
  const auto outcomes = run(10'000, 10);
  EXPECT_EQ(outcomes.size(), 10'000u);
  EXPECT_EQ(executor.submissions, 1);
  EXPECT_NEAR(executor.now_s, 1000.0 / 4 * 60, 60);
  EXPECT_LE(executor.polls, executor.now_s / 10 + 60) << "every 10 s, and more often only in the first minutes";
  EXPECT_LE(executor.collects, 1000 * 2 + executor.polls * executor.nodes) << "of tasks that run or have just ended";
}

}  // namespace
}  // namespace harness
