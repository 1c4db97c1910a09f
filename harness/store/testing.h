// What the tests of the store share: a results folder, and code that runs in a process of its own.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "harness/base/result.h"
#include "harness/store/example_records.h"
#include "harness/store/store.h"

namespace harness::testing {

/// "ok" or the error's message.
template <class T>
std::string outcome(const Result<T>& result) {
  return result ? "ok" : result.error().message;
}

/// run.json of a run.
inline nlohmann::ordered_json document(Store& store, const std::string& run_id) {
  const auto text = store.run_json(run_id);
  EXPECT_TRUE(text) << text.error().message;
  return text ? nlohmann::ordered_json::parse(*text) : nlohmann::ordered_json();
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

/// A process that runs `body` and then ends without this one's destructors. It is killed if it outlives this object.
class Child {
 public:
  /// read_line() returns what `body` writes to the descriptor.
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
  /// Returns the next line without its line break, or nothing if no complete line is left.
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

/// Called in a child: writes one line to its parent.
inline void say(int fd, const std::string& line) {
  const std::string text = line + "\n";
  if (write(fd, text.data(), text.size()) != static_cast<ssize_t>(text.size())) _exit(1);
}

}  // namespace harness::testing
