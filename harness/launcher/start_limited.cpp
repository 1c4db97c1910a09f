#include "harness/launcher/start_limited.h"

#include <grp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace harness {
namespace {

// limits.conf or `ulimit -s unlimited` may have given a user more. The kernel does not count a stack as data.
void limit_priority_and_stack() {
  const rlimit none{0, 0};
  setrlimit(RLIMIT_RTPRIO, &none);
  setrlimit(RLIMIT_NICE, &none);
  constexpr rlim_t usual = 8 << 20, largest = 64 << 20;  // gcc raises its own to 64 MiB
  rlimit stack;
  if (getrlimit(RLIMIT_STACK, &stack) != 0) return;
  if (stack.rlim_cur > largest) stack.rlim_cur = usual;
  if (stack.rlim_max > largest) stack.rlim_max = largest;
  setrlimit(RLIMIT_STACK, &stack);
}

// "0,5" or "all". Where there is no other core, a program may pin its threads: each then has a core of its own.
Pinning stay_on(const char* cores) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (char* end; *cores >= '0' && *cores <= '9'; cores = *end == ',' ? end + 1 : end)
    CPU_SET(std::strtoul(cores, &end, 10), &set);
  if (CPU_COUNT(&set) == 0) return Pinning::works;
  cpu_set_t all;
  std::memset(&all, 0xff, sizeof all);
  sched_setaffinity(0, sizeof all, &all);  // a program may take more than `taskset` left it
  const bool known = sched_getaffinity(0, sizeof all, &all) == 0;
  sched_setaffinity(0, sizeof set, &set);
  return known && CPU_COUNT(&set) == CPU_COUNT(&all) ? Pinning::works : Pinning::does_nothing;
}

// The first process of a namespace only waits for the others. It has no limits and no filter, so the others must not be able
// to trace it. The program that the child executes can be traced again.
void fork_and_wait_as_first_process() {
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // a program that the harness has stopped does not see that its sandbox is gone
  const pid_t program = fork();
  if (program == 0) return;
  if (program < 0) _exit(127);
  syscall(SYS_close_range, 0u, ~0u, 0);
  for (int status = 0;;)
    if (waitpid(-1, &status, 0) == program)
      _exit(WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
}

}  // namespace

int start_limited(int argc, char** argv, Calls calls) {
  if (argc < 9 || std::strcmp(argv[7], "--") != 0) return 2;
  if (getpid() == 1) fork_and_wait_as_first_process();
  const auto processes = static_cast<rlim_t>(std::atol(argv[2]));
  const auto uid = static_cast<uid_t>(std::strtoul(argv[5], nullptr, 10));
  const auto data = static_cast<rlim_t>(std::atoll(argv[3]));
  if (uid != 0 &&
      (setgroups(0, nullptr) != 0 || setresgid(uid, uid, uid) != 0 || setresuid(uid, uid, uid) != 0)) {
    std::fprintf(stderr, "cannot become user %u: %s\n", uid, std::strerror(errno));
    return 127;
  }
  const rlimit limit{processes, processes};
  setrlimit(RLIMIT_NPROC, &limit);
  const rlimit memory{data, data};
  if (data > 0) setrlimit(RLIMIT_DATA, &memory);
  limit_priority_and_stack();
  const Pinning pinning = stay_on(argv[4]);
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  // If the kernel has no filters, the rest of the sandbox still works, so this is no error.
  if (calls != Calls::all) (void)limit_calls(calls, pinning);
  if (chdir(argv[6]) != 0) std::fprintf(stderr, "cannot enter %s: %s\n", argv[6], std::strerror(errno));
  execvp(argv[8], argv + 8);
  std::fprintf(stderr, "cannot execute %s: %s\n", argv[8], std::strerror(errno));
  return 127;
}

}  // namespace harness
