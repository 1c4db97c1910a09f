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
  /// It looks only while the worker may run. A look takes long if the variant has mapped much, so pause() waits for its end: it would
  /// use the core of the harness while another variant is timed.
  void go_on() { runs_ = true; }
  void pause() {
    runs_ = false;
    const std::lock_guard no_look(mutex_);
  }
  /// All code that was mapped at one time or another, as in Mapped.
  std::set<std::string> seen() const;

 private:
  void look(const std::stop_token& stop);

  pid_t pid_;
  std::vector<int> cpus_;
  std::atomic<bool> runs_{true};
  mutable std::mutex mutex_;  // held during a look
  std::set<std::string> seen_;
  std::jthread thread_;  // the last member: it uses the others
};

}  // namespace harness
