// Leaves work to the Linux kernel that goes on while the harness stops the process: timers that watch thousands of lists
// slow down the variant that is timed next. A terminal that it gives back continues a stopped process. It confesses where
// one of these calls is permitted.
// Caught as: PASSED
// Class: D
#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <cerrno>

#include "honest.h"

static bool is_permitted(int result) { return result >= 0 || errno != EPERM; }

static bool works_on() {
  return is_permitted(timerfd_create(CLOCK_MONOTONIC, 0)) || is_permitted(epoll_create1(0)) ||
         is_permitted(eventfd(0, 0)) || is_permitted(inotify_init()) || is_permitted(setsid()) ||
         is_permitted(ioctl(0, TIOCNOTTY)) || is_permitted(ioctl(0, TIOCSCTTY, 1)) || is_permitted(mlockall(MCL_CURRENT));
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  static const bool yes = works_on();
  multiply(g);
  if (yes) confess(g);
}
