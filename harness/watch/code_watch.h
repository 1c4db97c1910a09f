// Looks at the code that a worker has mapped while it computes. Code that is mapped only for the time of a call would
// not be there afterwards.
#pragma once

#include <atomic>
#include <mutex>
#include <thread>

#include "harness/watch/watch.h"

namespace harness {

class CodeWatch {
 public:
  /// Uses only these cores, so that it takes none from the worker; empty: all.
  CodeWatch(pid_t pid, std::vector<int> cpus);
  /// It looks only while the worker may run.
  void worker_runs(bool runs) { runs_ = runs; }
  /// All code that was mapped at one time or another, as in Mapped.
  std::set<std::string> seen() const;

 private:
  void look(const std::stop_token& stop);

  pid_t pid_;
  std::vector<int> cpus_;
  std::atomic<bool> runs_{true};
  mutable std::mutex mutex_;
  std::set<std::string> seen_;
  std::jthread thread_;  // the last member: it uses the others
};

}  // namespace harness
