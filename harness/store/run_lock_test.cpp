#include "harness/store/run_lock.h"

#include <gtest/gtest.h>
#include <sys/file.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "harness/store/run_clock.h"
#include "harness/store/store.h"
#include "harness/store/testing.h"

namespace harness {
namespace {

using testing::Child;
using testing::header;
using testing::outcome;
using testing::say;

class RunLockTest : public testing::StoreFolder {
 protected:
  std::string state_of(Store& store, const std::string& id) {
    const auto json = store.run_json(id);
    return json ? nlohmann::json::parse(*json)["run"]["state"].get<std::string>() : json.error().message;
  }
};

TEST_F(RunLockTest, RefusesASecondRunAndSaysWhoHasIt) {
  fs::create_directories(results() / "lab5");
  std::ofstream(results() / "lab5/.lock") << "123 1795252500123\n";
  const int fd = open((results() / "lab5/.lock").c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_EQ(flock(fd, LOCK_EX), 0);
  const auto refused = RunLock::take(results(), "lab5");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, (results() / "lab5").string() +
                                         " is in use by another run (pid 123, since 2026-11-21 09:15:00 "
                                         "UTC); wait for it, or give --results "
                                         "another folder");
  EXPECT_EQ(refused.error().exit, ExitCode::machine);
  EXPECT_TRUE(RunLock::take(results(), "lab10")) << "another lab is free";
  close(fd);
  EXPECT_TRUE(RunLock::take(results(), "lab5"));
}

TEST_F(RunLockTest, SaysNothingItDoesNotKnow) {
  fs::create_directories(results() / "lab5");
  const int fd = open((results() / "lab5/.lock").c_str(), O_RDONLY | O_CREAT | O_CLOEXEC, 0644);
  ASSERT_EQ(flock(fd, LOCK_EX), 0);
  EXPECT_EQ(outcome(RunLock::take(results(), "lab5")),
            (results() / "lab5").string() +
                " is in use by another run; wait for it, or give --results another folder");
  close(fd);
}

TEST_F(RunLockTest, IsFreedWhenTheProcessIsKilled) {
  Child child([&](int fd) {
    const auto lock = RunLock::take(results(), "lab5");
    say(fd, outcome(lock));
    pause();
  });
  ASSERT_EQ(child.read_line(), "ok");
  const auto holder = lock_holder(results(), "lab5");
  ASSERT_TRUE(holder);
  EXPECT_EQ(holder->pid, child.pid());
  EXPECT_NEAR(static_cast<double>(holder->since_ms), static_cast<double>(now_ms()), 60e3);
  EXPECT_FALSE(RunLock::take(results(), "lab5"));
  child.kill_now();
  EXPECT_FALSE(lock_holder(results(), "lab5"));
  EXPECT_TRUE(RunLock::take(results(), "lab5"));
}

TEST_F(RunLockTest, TellsTheWayOutOfAnUnusableFolder) {
  std::ofstream(folder_.path() / "file") << "x";
  EXPECT_EQ(outcome(RunLock::take(folder_.path() / "file", "lab5")),
            (folder_.path() / "file/lab5").string() + ": cannot create the folder: Not a directory; a part of this path is a file: choose another folder");
  fs::create_directories(results() / "lab5/.lock");
  EXPECT_EQ(outcome(RunLock::take(results(), "lab5")),
            (results() / "lab5/.lock").string() +
                ": cannot open: Is a directory; check who owns the folder, or give --results another one");
  EXPECT_EQ(outcome(RunLock::take(results(), "")),
            "lab \"\" cannot name a folder: give it a short name of letters, digits, - and _");
}

TEST_F(RunLockTest, LivingRunsAreNotTorn) {
  Child child([&](int fd) {
    auto lock = RunLock::take(results(), "lab5");
    auto store = Store::open(results());
    say(fd, *store->begin_run(header("lab5")));
    pause();
  });
  const std::string id = child.read_line().value_or("nothing");
  auto store = Store::open(results());
  ASSERT_TRUE(store);
  const std::string other = *store->begin_run(header("lab10"));
  ASSERT_TRUE(store->close_torn_runs("lab5"));
  EXPECT_EQ(state_of(*store, id), "running");
  child.kill_now();
  ASSERT_TRUE(store->close_torn_runs("lab5"));
  EXPECT_EQ(state_of(*store, id), "interrupted");
  EXPECT_EQ(state_of(*store, other), "running") << "another lab's";
}

TEST_F(RunLockTest, TheHolderClosesWhatWasTornBeforeIt) {
  auto store = Store::open(results());
  ASSERT_TRUE(store);
  const std::string torn = *store->begin_run(header());
  const std::string complete = *store->begin_run(header());
  ASSERT_TRUE(store->end_run(complete, "complete"));
  usleep(3000);  // the lock is younger, to the millisecond
  const auto lock = RunLock::take(results(), "lab5");
  ASSERT_TRUE(lock);
  const std::string ours = *store->begin_run(header());
  ASSERT_TRUE(store->close_torn_runs("lab5"));
  EXPECT_EQ(state_of(*store, torn), "interrupted");
  EXPECT_EQ(state_of(*store, complete), "complete");
  EXPECT_EQ(state_of(*store, ours), "running");
}

TEST(RunClock, WritesTimes) {
  EXPECT_EQ(iso_time(1795252500999), "2026-11-21T09:15:00Z");
  EXPECT_EQ(readable_time(1795252500999), "2026-11-21 09:15:00 UTC");
  const std::string id = new_run_id(1795252500999);
  EXPECT_EQ(id.substr(0, 16), "20261121-091500-");
  EXPECT_EQ(id.size(), 20u);
  EXPECT_EQ(id.find_first_not_of("0123456789abcdef", 16), std::string::npos) << id;
}

}  // namespace
}  // namespace harness
