#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <set>
#include <thread>

#include "harness/base/draft.h"
#include "harness/base/embedded.h"
#include "harness/base/files.h"
#include "harness/base/hash.h"
#include "harness/base/parallel.h"
#include "harness/base/process.h"
#include "harness/base/status.h"
#include "harness/base/text.h"

namespace harness {
namespace {

TEST(Text, SuggestsTheNearestWord) {
  EXPECT_EQ(did_you_mean("tolarance", {"title", "tolerance"}), " (did you mean \"tolerance\"?)");
  EXPECT_EQ(did_you_mean("gpu_shraed", {"gpu_naive", "gpu_shared"}), " (did you mean \"gpu_shared\"?)");
  EXPECT_EQ(did_you_mean("ID", {"id", "name"}), " (did you mean \"id\"?)");
  EXPECT_EQ(did_you_mean("zebra", {"title", "tolerance"}), "");
  EXPECT_EQ(did_you_mean("", {"a"}), " (did you mean \"a\"?)");
}

TEST(Text, LooksAtNoWordThatIsMuchLonger) {
  const std::string endless(50'000'000, 'a');  // a table of its distances to the word would take 40 GB
  EXPECT_EQ(closest(std::string(100, 'a'), {endless}), std::nullopt);
  EXPECT_EQ(closest("abcdef", {endless, "abcdefgh"}), "abcdefgh");
  EXPECT_EQ(closest("abcdef", {"abcdefghi"}), std::nullopt);
}

TEST(Text, ReadsDurations) {
  EXPECT_EQ(parse_duration("60s"), 60);
  EXPECT_EQ(parse_duration("1h30m"), 5400);
  EXPECT_EQ(parse_duration("500ms"), 0.5);
  EXPECT_EQ(parse_duration("15"), 15);
  for (const char* wrong : {"", "fast", "-3s", "0", "3x", "inf", "nan"})
    EXPECT_FALSE(parse_duration(wrong)) << wrong;
}

TEST(Text, WritesForPeople) {
  EXPECT_EQ(human_bytes(512), "512 B");
  EXPECT_EQ(human_bytes(1.5 * 1024 * 1024), "1.5 MiB");
  EXPECT_EQ(human_time(0.34), "340 ms");
  EXPECT_EQ(human_time(0.9996), "1 s");
  EXPECT_EQ(human_time(125), "2 min 5 s");
  EXPECT_EQ(human_time(24 * 3600), "24 h");
  EXPECT_EQ(human_time(25 * 3600 + 60), "25 h 1 min");
  EXPECT_EQ(human_time(18.3e-6), "18.3 us");
}

TEST(Text, PrintableCutsAtACharacterAndHidesControls) {
  EXPECT_EQ(printable("a\x1b[31mb\r\n", 100), "a?[31mb\n");
  EXPECT_EQ(printable("a\xc3\xa9", 2), "a\n[cut here]");
  EXPECT_EQ(printable("a\xe2\x80\xae" "b\xe2\x81\xa6 \xe2\x80\x93", 100), "a?b? \xe2\x80\x93");
  EXPECT_EQ(printable("a\xc2\x9b" "b\x9b" "31m\xff\xc3\xd8\x9c", 100), "a?b?31m???") << "8-bit controls, not UTF-8, a direction";
}

TEST(Hash, KnownValueAndFraming) {
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_NE(Hash().add("ab").add("c").hex(), Hash().add("a").add("bc").hex());
}

TEST(Files, WriteReplacesWhole) {
  TemporaryFolder folder;
  const fs::path path = folder.path() / "a";
  ASSERT_TRUE(write_file(path, "one"));
  ASSERT_TRUE(write_file(path, "two"));
  EXPECT_EQ(*read_file(path), "two");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()), 1);
}

TEST(Files, ThreadsMayWriteTheSameFile) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "a";
  std::atomic<int> failed{0};
  const auto write = [&](char c) {
    for (int i = 0; i < 100; ++i)
      if (!write_file(path, std::string(1000, c))) ++failed;
  };
  std::thread other(write, 'a');
  write('b');
  other.join();
  EXPECT_EQ(failed, 0);
  const std::string text = *read_file(path);
  EXPECT_EQ(text, std::string(1000, text[0]));
}

TEST(Files, OnlyDraftsOfTheDeadAreRemoved) {
  const TemporaryFolder folder;
  const fs::path below = folder.path() / "run";
  ASSERT_TRUE(make_folders(below / "building-1.elsewhere.999999999.tmp"));
  const std::string ours = draft_ending(), pid = std::to_string(getpid()) + ".tmp";
  const std::string dead = ours.substr(0, ours.size() - pid.size()) + "999999999.tmp";  // beyond every pid_max
  for (const std::string& name :
       {".run.json" + ours, ".run.json" + dead, std::string("notes.tmp"), std::string("a.12.tmp"), std::string(".b..tmp")})
    ASSERT_TRUE(write_file(below / name, "text"));
  ASSERT_TRUE(make_folders(below / ("building-2" + dead) / "inside"));
  const auto names = [&] {
    std::set<std::string> all;
    for (const auto& entry : fs::directory_iterator(below)) all.insert(entry.path().filename().string());
    return all;
  };
  remove_abandoned_drafts(folder.path(), Depth::this_folder);
  EXPECT_EQ(names().size(), 7u);
  remove_abandoned_drafts(folder.path(), Depth::below);
  EXPECT_EQ(names(), (std::set<std::string>{".run.json" + ours, "notes.tmp", "a.12.tmp", ".b..tmp",
                                            "building-1.elsewhere.999999999.tmp"}));
}

TEST(Files, SaysWhatIsWrong) {
  EXPECT_EQ(read_file("/nonexistent/a").error().message,
            "/nonexistent/a: cannot read: No such file or directory");
  EXPECT_EQ(write_file("/dev/full/a", "x").error().message, "/dev/full/a: cannot write: Not a directory; a part of this path is a file: choose another folder");
}

TEST(Process, ReportsExitOutputSignalAndTimeout) {
  const auto echo = run_process({"sh", "-c", "echo out; echo err >&2; exit 3"});
  ASSERT_TRUE(echo);
  EXPECT_EQ(echo->exit, 3);
  EXPECT_EQ(echo->out, "out\n");
  EXPECT_EQ(echo->err, "err\n");
  EXPECT_EQ(run_process({"sh", "-c", "kill -9 $$"})->signal, 9);
  EXPECT_TRUE(run_process({"sleep", "10"}, {.timeout_s = 0.05})->timed_out);
  EXPECT_EQ(run_process({"no-such-program"}).error().message, "cannot find the program \"no-such-program\"");
  EXPECT_EQ(run_process({"sh", "-c", "yes"}, {.timeout_s = 0.1, .output_limit = 10})->out.size(), 10u);
}

TEST(Parallel, CoversEveryElementOnce) {
  for (const int64_t count : {0, 1, 2, 3, 1000}) {
    std::vector<int> seen(static_cast<size_t>(count));
    parallel_for(count, 1, [&](int64_t from, int64_t to) {
      for (int64_t i = from; i < to; ++i) ++seen[static_cast<size_t>(i)];
    });
    for (const int s : seen) EXPECT_EQ(s, 1);
  }
}

TEST(Status, NamesRoundTrip) {
  for (const StatusInfo& i : statuses) EXPECT_EQ(parse_enum<Status>(i.name), i.status);
  EXPECT_FALSE(parse_enum<Status>("PASED"));
}

TEST(Unpack, WritesAGroupOnce) {
  const TemporaryFolder cache;
  const std::vector<EmbeddedFile> files = {{"build", "device/a.h", "int a;"},
                                           {"programs", "worker", "\x7f" "ELF"},
                                           {"build", "device/include/b.h", "int b;"}};
  const auto build = unpack("build", cache.path(), files), programs = unpack("programs", cache.path(), files);
  ASSERT_TRUE(build && programs);
  EXPECT_EQ(*read_file(*build / "device/a.h"), "int a;");
  EXPECT_EQ(*read_file(*build / "device/include/b.h"), "int b;");
  EXPECT_FALSE(fs::exists(*build / "worker"));
  EXPECT_EQ(fs::status(*programs / "worker").permissions(), fs::perms(0755));
  ASSERT_TRUE(write_file(*build / "device/a.h", "changed"));
  EXPECT_EQ(*unpack("build", cache.path(), files), *build);
  EXPECT_EQ(*read_file(*build / "device/a.h"), "changed");  // it was there: nothing was written
  auto changed = files;
  changed[0].bytes = "int c;";
  EXPECT_NE(*unpack("build", cache.path(), changed), *build);
  EXPECT_EQ(*unpack("programs", cache.path(), changed), *programs);
}

}  // namespace
}  // namespace harness
