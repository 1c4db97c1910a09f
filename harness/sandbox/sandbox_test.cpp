#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "harness/base/text.h"
#include "harness/sandbox/child.h"

namespace harness {
namespace {

// The worker program of this build starts others under limits.
fs::path launcher() { return fs::path(HARNESS_BUILD_DIR) / "harness-launcher"; }

Child run(const std::string& sandbox, const std::string& script, SandboxRequest request = {}) {
  const auto chosen = choose_sandbox(sandbox);
  if (!chosen) ADD_FAILURE() << chosen.error().message;
  request.command = {"/bin/sh", "-c", script};
  request.environment.push_back("PATH=/usr/bin:/bin");
  auto child = Child::start(**chosen, request, launcher());
  if (!child) ADD_FAILURE() << child.error().message;
  return *std::move(child);
}

class AnySandbox : public testing::TestWithParam<const char*> {
  // Its image is made by hand, or by tests/test_containers.py.
  void SetUp() override {
    if (GetParam() != std::string("podman")) return;
    if (const auto chosen = choose_sandbox("podman"); !chosen) GTEST_SKIP() << chosen.error().message;
  }
};
INSTANTIATE_TEST_SUITE_P(, AnySandbox, testing::Values("bwrap", "none", "podman"));

TEST_P(AnySandbox, ReportsExitAndOutput) {
  Child child = run(GetParam(), "echo out; echo err >&2; exit 7");
  ASSERT_TRUE(child.wait(10));
  EXPECT_EQ(child.ended().exit, 7);
  EXPECT_EQ(child.output(), "out\nerr\n");
}

TEST_P(AnySandbox, KillsWhatDoesNotEnd) {
  Child child = run(GetParam(), "sleep 100");
  EXPECT_FALSE(child.wait(0.1));
  child.kill();
  EXPECT_TRUE(child.wait(5));
}

TEST_P(AnySandbox, CutsOutputAndStopsAFlood) {
  Child child = run(GetParam(), "yes", {.output_bytes = 100});
  ASSERT_TRUE(child.wait(30));
  EXPECT_TRUE(child.ended().flooded);
  EXPECT_EQ(child.output().substr(100), "\n[cut here]");
}

TEST_P(AnySandbox, HandsOverOneDescriptorAndNoOther) {
  int pair[2];
  ASSERT_EQ(pipe(pair), 0);
  Child child = run(GetParam(), "echo hello >&3; ls /proc/self/fd | tr '\\n' ' '", {.channel = pair[1]});
  close(pair[1]);
  ASSERT_TRUE(child.wait(10));
  char text[6] = {};
  EXPECT_EQ(read(pair[0], text, 5), 5);
  EXPECT_STREQ(text, "hello");
  close(pair[0]);
  // 0 to 3, and the one that ls opened to look.
  EXPECT_EQ(child.output(), "0 1 2 3 4 ");
}

TEST_P(AnySandbox, StartsInTheFolderAskedFor) {
  Child child = run(GetParam(), "pwd", {.folder = "/usr/bin"});
  ASSERT_TRUE(child.wait(10));
  EXPECT_EQ(child.output(), "/usr/bin\n");
}

TEST(Bwrap, HidesTheMachine) {
  const fs::path mine = fs::temp_directory_path() / ("seen." + std::to_string(getpid()));
  ASSERT_TRUE(write_file(mine, "x"));
  Child child =
      run("bwrap", "for f in /etc/passwd /etc/shadow /var/lib/dpkg/status " + mine.string() +
                       "; do test -e $f && echo $f; done; touch /usr/x 2>&1; ls /proc | grep -c '^[0-9]'; "
                       "cat /proc/net/dev | grep -c :");
  ASSERT_TRUE(child.wait(10));
  fs::remove(mine);
  const std::vector<std::string> lines = split(trim(child.output()), '\n');
  ASSERT_EQ(lines.size(), 3u) << child.output();
  EXPECT_NE(lines[0].find("Read-only file system"), std::string::npos) << lines[0];
  EXPECT_LE(std::stol(lines[1]), 6);  // its own processes
  EXPECT_EQ(lines[2], "1");           // the loopback device
}

// Without root the program owns /tmp, and could put other files under the name of a mount.
TEST(Bwrap, FoldersAboveAMountCannotBeRenamed) {
  const fs::path top = fs::path("/tmp") / ("above." + std::to_string(getpid())), mine = top / "a" / "b";
  fs::create_directories(mine);
  Child child = run("bwrap", fmt::format("mv {0} {0}.away 2>&1; test -e {1} && grep -c ' {0} tmpfs ro,' /proc/self/mounts", top.string(), mine.string()),
                    {.mounts = {{mine, Access::read}}});
  ASSERT_TRUE(child.wait(10));
  fs::remove_all(top);
  EXPECT_EQ(split(trim(child.output()), '\n').back(), "1") << child.output();
}

TEST(Bwrap, RunsAsNobodyInParticular) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can become somebody else";
  Child child = run("bwrap", "id -u");
  ASSERT_TRUE(child.wait(10));
  EXPECT_GE(std::stol(child.output()), 1900000000);
}

// What stays of a killed harness: nothing, though a process of the group knows nothing of its parent's death.
TEST(Guard, TakesTheGroupAlong) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  const pid_t harness = fork();
  if (harness == 0) {
    Child child = run("none", "sleep 100 & echo >&3; wait", {.channel = ends[1]});
    pause();
  }
  close(ends[1]);
  char started = 0;
  ASSERT_EQ(read(ends[0], &started, 1), 1);
  kill(harness, SIGKILL);
  waitpid(harness, nullptr, 0);
  pollfd polled{ends[0], POLLIN, 0};
  ASSERT_EQ(poll(&polled, 1, 10'000), 1);
  EXPECT_EQ(read(ends[0], &started, 1), 0) << "nobody has it open any more";
  close(ends[0]);
}

TEST(Bwrap, GoesBeforeTheHarnessWhenMemoryIsOut) {
  Child child = run("bwrap", "cat /proc/self/oom_score_adj");
  ASSERT_TRUE(child.wait(10));
  EXPECT_EQ(child.output(), "1000\n");
}

TEST(Bwrap, StopsAForkBomb) {
  Child child = run("bwrap", "for i in 1 2 3 4 5 6 7 8 9; do sleep 5 & done; wait", {.processes = 5});
  ASSERT_TRUE(child.wait(10));
  EXPECT_NE(child.ended().exit, 0);
}

TEST(Bwrap, LimitsMemoryAndFiles) {
  Child memory =
      run("bwrap", "python3 -c 'bytearray(10**9)' 2>&1 || perl -e '$x = \"a\" x 1e9' 2>&1 && echo got it",
          {.data_bytes = 200 << 20});
  ASSERT_TRUE(memory.wait(20));
  EXPECT_EQ(memory.output().find("got it"), std::string::npos);
  Child file =
      run("bwrap", "head -c 2000000 /dev/zero > /tmp/big; wc -c < /tmp/big", {.file_bytes = 1 << 20});
  ASSERT_TRUE(file.wait(10));
  EXPECT_NE(file.output().find("1048576"), std::string::npos) << file.output();
}

class OnThisSystem : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(, OnThisSystem, testing::Values("bwrap", "none"));

TEST_P(OnThisSystem, NoSharedMemoryWhereItIsNotWanted) {
  const std::string script =
      "exec /usr/bin/python3 -c '\n"
      "import ctypes, mmap\n"
      "c = ctypes.CDLL(None, use_errno=True)\n"
      "def denied(result): return result == -1 and ctypes.get_errno() == 1\n"
      "def maps(flags):\n"
      "  try: mmap.mmap(-1, 4096, flags=flags | mmap.MAP_ANONYMOUS); return True\n"
      "  except PermissionError: return False\n"
      "print(maps(mmap.MAP_SHARED), maps(mmap.MAP_PRIVATE | 0x100), maps(mmap.MAP_PRIVATE),\n"
      "  denied(c.memfd_create(b\"x\", 0)), denied(c.shmget(0, 4096, 0o1600)), denied(c.msgget(0, 0o1600)))'";
  Child alone = run(GetParam(), script, {.rights = Rights::compute});
  ASSERT_TRUE(alone.wait(20));
  EXPECT_EQ(alone.output(), "False False True True True True\n");
  Child other = run(GetParam(), script);
  ASSERT_TRUE(other.wait(20));
  EXPECT_EQ(other.output(), "True True True False False False\n");
}

// A network namespace does not hold AF_VSOCK, and so it does not close it.
TEST_P(OnThisSystem, SocketsOnlyOfANetworkNamespace) {
  const std::string script =
      "exec /usr/bin/python3 -c '\n"
      "import socket\n"
      "def opens(family):\n"
      "  try: return bool(socket.socket(family, socket.SOCK_RAW if family == 16 else socket.SOCK_STREAM))\n"
      "  except PermissionError: return False\n"
      "print(*map(opens, (socket.AF_UNIX, socket.AF_INET, socket.AF_NETLINK)), *map(opens, (40, 38, 31, 30)))'";
  Child child = run(GetParam(), script);
  ASSERT_TRUE(child.wait(20));
  EXPECT_EQ(child.output(), "True True True False False False False\n");
}

TEST(Bwrap, DeviceZeroIsNoSharedMemoryEither) {
  Child child = run("bwrap",
                    "exec /usr/bin/python3 -c '\n"
                    "import mmap\n"
                    "with open(\"/dev/zero\", \"r+b\", 0) as f:\n"
                    "  print(f.read(3))\n"
                    "  try: mmap.mmap(f.fileno(), 4096)\n"
                    "  except OSError as e: print(e)'",
                    {.rights = Rights::compute});
  ASSERT_TRUE(child.wait(20));
  EXPECT_EQ(child.output(), "b'\\x00\\x00\\x00'\n[Errno 19] No such device\n");
}

TEST(Bwrap, EndsWithItsParts) {
  // A process that left its group and session dies with the namespace.
  Child child = run("bwrap", "setsid sleep 300 & sleep 300");
  EXPECT_FALSE(child.wait(0.1));
  child.kill();
  EXPECT_TRUE(child.wait(5));
}

TEST(Choose, UnknownNameSuggests) {
  EXPECT_EQ(choose_sandbox("bwarp").error().message,
            "unknown sandbox \"bwarp\" (did you mean \"bwrap\"?); there are apptainer, bwrap, docker, none, podman");
}

}  // namespace
}  // namespace harness
