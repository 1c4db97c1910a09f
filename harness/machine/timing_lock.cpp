#include "harness/machine/timing_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "harness/base/interrupt.h"

namespace harness {

TimingLock TimingLock::take(const std::function<void()>& when_waiting) {
  constexpr const char* file = "/tmp/harness-timing.lock";
  // Linux lets nobody open a file of another user in /tmp with O_CREAT. A lock needs no right to write.
  int fd = open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (fd < 0) fd = open(file, O_RDONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
  bool told = false;
  while (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0 && !interrupted()) {
    if (!told) when_waiting();
    told = true;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return TimingLock(fd);
}

TimingLock::~TimingLock() {
  if (fd_ >= 0) close(fd_);
}

}  // namespace harness
