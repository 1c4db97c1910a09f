// What the tests of the store share: a full record, a folder, and code that runs in a process of its own.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <optional>
#include <string>

#include "harness/base/result.h"
#include "harness/store/store.h"

namespace harness::testing {

/// Every field set, numbers that need all their digits.
inline CaseRecord full_case(int number = 0) {
  CaseRecord r;
  r.id = "lab5/cpu_sizes/cpu_avx size=" + std::to_string(number);
  r.sweep = "cpu_sizes";
  r.variant = "cpu_avx";
  r.dtype = Dtype::f64;
  r.axes = {{"size", int64_t{number}}, {"BLOCK", int64_t{16}}, {"alpha", 1.0}, {"PARTITION", "row"}};
  r.parameters = {{"m", int64_t{number}}, {"n", int64_t{3}}, {"beta", 0.1 + 0.2}};
  r.label = "m=1024 n=3";
  r.threads = 2;
  r.device = "cpu";
  r.status = Status::PASSED;
  r.build_key = "b1";
  r.run_key = "k" + std::to_string(number);
  r.check.lines = {{"exact", true, 0, 0, "integers"}, {"componentwise", true, 1.0 / 3, 2e-17, ""}};
  r.check.shapes = 24;
  r.check.deterministic = false;
  r.check.timed_output = true;
  r.flops = 2147483648.0;
  r.bytes = 12582912.0;
  r.metrics = {
      {"kernel_ms", {1.0 / 7, 0.1, 0.2, 12, {{"min", 0.05}, {"max", 1e-300}}}},
      {"speedup", {8.1, 8.0, 8.2, 12, {{"paired", true}, {"equal", false}, {"over", "cpu_baseline"}}}},
      {"h2d_ms", {0.1, {}, {}, 0, nlohmann::json::object()}}};
  r.samples_ms = {0.1, 1.0 / 3, 5e-324, 1.7976931348623157e308};
  r.rounds = {0, 1, 2, 3};
  r.warmup_ms = {2.5};
  r.calls_per_sample = 4;
  r.stop_reason = "precision";
  r.notes = {"few samples: 4"};
  return r;
}

inline nlohmann::json header(const std::string& lab = "lab5") {
  return {{"run", {{"lab", lab}, {"title", "Data-level parallelism"}}}, {"baseline", "cpu_baseline"}};
}

/// "ok" or the error's message.
template <class T>
std::string outcome(const Result<T>& result) {
  return result ? "ok" : result.error().message;
}

/// A results folder of the test's own.
class StoreFolder : public ::testing::Test {
 protected:
  fs::path results() const { return folder_.path() / "results"; }
  fs::path file() const { return results() / "harness.sqlite"; }
  /// The message of opening the store, or "ok".
  std::string opening() const { return outcome(Store::open(results())); }
  /// A store with one run of many cases; returns the run.
  std::string fill(int cases) const {
    auto store = Store::open(results());
    const std::string id = *store->begin_run(header());
    for (int i = 0; i < cases; ++i) EXPECT_TRUE(store->record_case(id, full_case(i)));
    return id;
  }

  TemporaryFolder folder_;
};

/// A process that runs `body` and ends without the clean-up of this one; killed, if need be, when this goes.
class Child {
 public:
  /// What `body` writes to the descriptor comes out of read_line().
  explicit Child(const std::function<void(int fd)>& body) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return;
    pid_ = fork();
    if (pid_ == 0) {
      close(ends[0]);
      body(ends[1]);
      _exit(0);
    }
    close(ends[1]);
    fd_ = ends[0];
  }
  ~Child() {
    kill_now();
    close(fd_);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  pid_t pid() const { return pid_; }
  /// Without its end; nothing when there is no more whole line.
  std::optional<std::string> read_line() {
    std::string line;
    for (char c; read(fd_, &c, 1) == 1; line += c)
      if (c == '\n') return line;
    return std::nullopt;
  }
  void kill_now() {
    if (pid_ <= 0) return;
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
    pid_ = -1;
  }

 private:
  pid_t pid_ = -1;
  int fd_ = -1;
};

/// Called in a child: one line for its parent.
inline void say(int fd, const std::string& line) {
  const std::string text = line + "\n";
  if (write(fd, text.data(), text.size()) != static_cast<ssize_t>(text.size())) _exit(1);
}

}  // namespace harness::testing
