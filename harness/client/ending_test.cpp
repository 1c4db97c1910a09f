// The end of a worker whose process takes long to give back its memory.
#include <gtest/gtest.h>
#include <signal.h>

#include <fstream>

#include "harness/base/files.h"
#include "harness/base/process.h"
#include "harness/client/client.h"

namespace harness {
namespace {

constexpr double timeout_s = 30;

// Small pages, so that the Linux kernel needs some tens of milliseconds for them when the process is killed.
constexpr const char* much_memory = R"(
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
__attribute__((constructor)) static void take_memory(void) {
  const size_t bytes = 256 << 20;
  void* p = mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  madvise(p, bytes, MADV_NOHUGEPAGE);
  memset(p, 1, bytes);
  printf("%d\n", (int)getpid());
}
)";

bool runs(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string number, name, state;
  return (file >> number >> name >> state) && state != "Z";
}

TEST(Ending, WaitsUntilTheProcessIsGone) {
  const TemporaryFolder folder;
  const fs::path source = folder.path() / "much.c", object = folder.path() / "much.so";
  ASSERT_TRUE(write_file(source, much_memory));
  const auto compiled = run_process({"cc", "-shared", "-fPIC", "-o", object.string(), source.string()});
  ASSERT_TRUE(compiled && compiled->exit == 0);
  for (int i = 0; i < 3; ++i) {
    WorkerSetup setup;
    setup.sandbox = *find_sandbox("none");
    setup.launcher = fs::path(HARNESS_BUILD_DIR) / "harness-launcher";
    setup.program = fs::path(HARNESS_BUILD_DIR) / "harness-worker";
    setup.object = object;
    auto worker = Worker::start(setup);
    ASSERT_TRUE(worker) << worker.error().message;
    ASSERT_TRUE(worker->open(setup, timeout_s));
    const std::string printed = worker->end();
    const pid_t pid = std::atoi(printed.c_str());
    ASSERT_GT(pid, 0) << printed;
    EXPECT_FALSE(runs(pid));
  }
}

}  // namespace
}  // namespace harness
