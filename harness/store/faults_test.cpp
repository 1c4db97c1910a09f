// Kills processes and fills disks: recorded cases are kept, and the error says what to do.
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "harness/base/random.h"
#include "harness/store/sqlite.h"
#include "harness/store/store.h"
#include "harness/store/testing.h"

namespace harness {
namespace {

using testing::Child;
using testing::document;
using testing::full_case;
using testing::header;
using testing::outcome;
using testing::say;

class Faults : public testing::StoreFolder {
 protected:
  std::string sql(const std::string& text) const {
    auto database = Database::open(file());
    auto query = database->query(text);
    return query && *query->step() ? query->text(0) : "nothing";
  }
};

// Records cases until it is killed; says the run's id, then the number of each case once it is recorded.
void record_for_ever(const fs::path& results, int fd) {
  auto lock = RunLock::take(results, "lab5");
  auto store = Store::open(results);
  if (!lock || !store) _exit(1);
  const std::string id = *store->begin_run(header());
  say(fd, id);
  for (int i = 0; store->record_case(id, full_case(i)); ++i) say(fd, std::to_string(i));
  _exit(1);
}

TEST_F(Faults, KillAtAnyMomentLosesNothingReported) {
  size_t reported_in_all = 0;
  for (uint64_t round = 0; round < 20; ++round) {
    std::set<std::string> reported;
    std::optional<std::string> id;
    {
      Child child([&](int fd) { record_for_ever(results(), fd); });
      // Every fourth round is killed while it opens the store, the others after some cases, at any moment of the next.
      if (round % 4 != 0) {
        id = child.read_line();
        for (uint64_t n = random_bits(1, round) % 40; n > 0; --n)
          if (const auto number = child.read_line()) reported.insert(*number);
      }
      usleep(static_cast<useconds_t>(random_bits(2, round) % 3000));
      child.kill_now();
      if (!id) id = child.read_line();
      while (const auto number = child.read_line()) reported.insert(*number);
    }
    if (!id) continue;

    auto store = Store::open(results());
    ASSERT_TRUE(store) << store.error().message;
    EXPECT_EQ(document(*store, *id)["run"]["state"], "running");
    ASSERT_TRUE(store->close_torn_runs("lab5"));
    const auto json = document(*store, *id);
    EXPECT_EQ(json["run"]["state"], "interrupted");
    std::set<std::string> kept;
    for (const auto& record : json["cases"]) kept.insert(record["axes"]["size"].dump());
    for (const std::string& number : reported)
      EXPECT_TRUE(kept.contains(number)) << number << " in round " << round;
    EXPECT_LE(kept.size(), reported.size() + 1);
    EXPECT_EQ(sql("PRAGMA integrity_check"), "ok");
    reported_in_all += reported.size();
  }
  EXPECT_GT(reported_in_all, 100u);
}

TEST_F(Faults, SeveralProcessesMakeAndFillTheSameStore) {
  constexpr int processes = 6, cases = 50;
  std::vector<std::unique_ptr<Child>> children;
  for (int p = 0; p < processes; ++p)
    children.push_back(std::make_unique<Child>([&, p](int fd) {
      auto store = Store::open(results());
      if (!store) return say(fd, store.error().message);
      const auto id = store->begin_run(header("lab" + std::to_string(p)));
      if (!id) return say(fd, id.error().message);
      for (int i = 0; i < cases; ++i)
        if (const auto done = store->record_case(*id, full_case(i)); !done)
          return say(fd, done.error().message);
      say(fd, *id);
    }));
  for (const auto& child : children) {
    const std::string id = child->read_line().value_or("nothing");
    auto store = Store::open(results());
    ASSERT_TRUE(store) << store.error().message;
    EXPECT_EQ(document(*store, id)["cases"].size(), static_cast<size_t>(cases));
  }
  EXPECT_EQ(sql("PRAGMA integrity_check"), "ok");
  EXPECT_EQ(sql("PRAGMA journal_mode"), "wal");
}

TEST_F(Faults, FolderThatCannotBeMade) {
  std::ofstream(folder_.path() / "results") << "a file";
  EXPECT_EQ(opening(), results().string() + ": cannot create the folder: Not a directory; a part of this path is a file: choose another folder");
}

TEST_F(Faults, FolderOfSomeoneElse) {
  fs::create_directories(results());
  fs::permissions(folder_.path(), fs::perms(0755));
  fs::permissions(results(), fs::perms(0555));
  // Root may write to any file, so the test needs another user.
  Child child([&](int fd) {
    if (getuid() == 0 && setuid(65534) != 0) return say(fd, "cannot become another user");
    say(fd, opening());
  });
  EXPECT_EQ(child.read_line(), file().string() +
                                   ": unable to open database file; check who owns the folder, or give "
                                   "--results another one");
  fs::permissions(results(), fs::perms(0755));
}

TEST_F(Faults, StoreOfSomeoneElse) {
  fill(1);
  fs::permissions(folder_.path(), fs::perms(0755));
  fs::permissions(file(), fs::perms(0444));
  fs::permissions(results(), fs::perms(0555));
  Child child([&](int fd) {
    if (getuid() == 0 && setuid(65534) != 0) return say(fd, "cannot become another user");
    say(fd, opening());
  });
  EXPECT_EQ(child.read_line(),
            file().string() +
                ": attempt to write a readonly database; check who owns the folder, or give --results "
                "another one");
  fs::permissions(results(), fs::perms(0755));
}

// A file system of one MiB at `at`, seen by this process only. Empty, or why there is none.
std::string mount_small_disk(const fs::path& at) {
  if (unshare(CLONE_NEWNS) != 0) {
    // Another user than root becomes root of a new user namespace.
    const std::string user = std::to_string(getuid()), group = std::to_string(getgid());
    if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return std::string("unshare: ") + std::strerror(errno);
    const std::pair<const char*, std::string> settings[] = {
        {"uid_map", "0 " + user + " 1"}, {"setgroups", "deny"}, {"gid_map", "0 " + group + " 1"}};
    for (const auto& [name, text] : settings)
      if (!(std::ofstream(std::string("/proc/self/") + name) << text << std::flush))
        return std::string(name) + " cannot be written";
  }
  if (mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
      mount("tmpfs", at.c_str(), "tmpfs", 0, "size=1m") != 0)
    return std::string("mount: ") + std::strerror(errno);
  return "";
}

TEST_F(Faults, FullDiskKeepsFinishedCases) {
  fs::create_directories(results());
  Child child([&](int fd) {
    const std::string no_disk = mount_small_disk(results());
    say(fd, no_disk);
    if (!no_disk.empty()) return;
    const fs::path ballast = results() / "ballast";
    std::ofstream(ballast) << std::string(300000, 'x') << std::flush;
    int recorded = 0;
    std::string id;
    {
      auto store = Store::open(results());
      if (!store) return say(fd, store.error().message);
      id = *store->begin_run(header());
      Done done = ok();
      while ((done = store->record_case(id, full_case(recorded)))) ++recorded;
      say(fd, done.error().message);
      say(fd, outcome(store->write_run_folder(results(), id)));
    }
    fs::remove(ballast);
    auto store = Store::open(results());
    if (!store) return say(fd, store.error().message);
    const auto json = store->run_json(id);
    say(fd, json && nlohmann::json::parse(*json)["cases"].size() == static_cast<size_t>(recorded) && recorded > 20
                ? "all kept"
                : "recorded " + std::to_string(recorded) + ": " + outcome(json));
    say(fd, outcome(store->record_case(id, full_case(recorded))));
  });
  const auto no_disk = child.read_line();
  ASSERT_TRUE(no_disk);
  if (!no_disk->empty()) GTEST_SKIP() << "no small disk to fill here: " << *no_disk;
  const std::string kept = "; free some space and run again: finished cases are kept";
  EXPECT_EQ(child.read_line(), file().string() + ": database or disk is full" + kept);
  const std::string no_folder = child.read_line().value_or("");
  EXPECT_TRUE(no_folder.starts_with(results().string()) &&
              no_folder.ends_with(": No space left on device" + kept))
      << no_folder;
  EXPECT_EQ(child.read_line(), "all kept");
  EXPECT_EQ(child.read_line(), "ok");
}

}  // namespace
}  // namespace harness
