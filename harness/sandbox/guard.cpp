#include "harness/sandbox/guard.h"

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

namespace harness {
namespace {

void take_all_along(int) { kill(0, SIGKILL); }

[[noreturn]] void end_as(int status) {
  if (WIFSIGNALED(status)) {
    const rlimit core{0, 0};
    setrlimit(RLIMIT_CORE, &core);
    signal(WTERMSIG(status), SIG_DFL);
    kill(getpid(), WTERMSIG(status));
  }
  _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 127);
}

}  // namespace

void stay_behind_as_guard(pid_t parent) {
  signal(SIGTERM, take_all_along);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) _exit(127);
  const pid_t guarded = fork();
  if (guarded < 0) _exit(127);
  if (guarded == 0) {
    signal(SIGTERM, SIG_DFL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    return;
  }
  syscall(SYS_close_range, 0u, ~0u, 0);  // only the child needs descriptors
  int status = 0;
  while (waitpid(guarded, &status, 0) < 0 && errno == EINTR) {
  }
  end_as(status);
}

}  // namespace harness
