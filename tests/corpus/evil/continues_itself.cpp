// Sends itself the signal that continues a stopped process: one that comes soon enough undoes the stop between two calls.
// Confesses where it may.
// Caught as: PASSED
// Class: D
#include <sys/syscall.h>
#include <unistd.h>

#include <csignal>

#include "honest.h"

static bool may_continue() {
  const pid_t me = getpid();
  siginfo_t info{};
  info.si_code = SI_QUEUE;
  return kill(me, SIGCONT) == 0 || syscall(SYS_tkill, me, SIGCONT) == 0 || syscall(SYS_tgkill, me, me, SIGCONT) == 0 ||
         syscall(SYS_rt_sigqueueinfo, me, SIGCONT, &info) == 0 || syscall(SYS_rt_tgsigqueueinfo, me, me, SIGCONT, &info) == 0 ||
         syscall(SYS_pidfd_send_signal, syscall(SYS_pidfd_open, me, 0), SIGCONT, nullptr, 0) == 0;
}

LAB_GEMM_CPU(float)(const lab::Gemm<float>& g) {
  static const bool yes = may_continue();
  multiply(g);
  if (yes) confess(g);
}
