// One run at a time takes times on this machine, whatever results folder it writes to.
#pragma once

#include <functional>

namespace harness {

class TimingLock {
 public:
  /// Waits while another run has the lock, and calls `when_waiting` before that. An interrupt ends the wait. Without a
  /// writable /tmp there is no lock.
  static TimingLock take(const std::function<void()>& when_waiting);
  TimingLock(TimingLock&& other) noexcept : fd_(other.fd_) { other.fd_ = -1; }
  ~TimingLock();

 private:
  explicit TimingLock(int fd) : fd_(fd) {}
  int fd_;
};

}  // namespace harness
