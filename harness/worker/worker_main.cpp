// The worker: the untrusted side. Loads one variant, maps or copies the buffers it is handed, calls the
// variant, gives back times and bytes. It knows no seed, no reference, no tolerance, and decides nothing.
//
//   harness-worker serve                                          requests on descriptor 3 until it closes
//   harness-worker exec PROCESSES DATA_BYTES UID FOLDER -- ...   start a program there, under these limits,
//   as user UID (0: unchanged), without the system calls of deny.cpp
//   harness-worker alone ...                                     the same without memory that could be shared
//   harness-worker trace ...                                     the same with all calls: for debuggers
//   harness-worker enter DOOR FILE_BYTES PROGRAM ...             first process of a container, see enter.h
//
// Only the C library: a variant brings the C++ runtime it was built with.
#include <grp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "harness/worker/deny.h"
#include "harness/worker/enter.h"
#include "harness/worker/serve.h"

namespace {

using harness::Calls;

// What a user may have been given by limits.conf, or by `ulimit -s unlimited`. A stack counts as no data.
void limit_priority_and_stack() {
  const rlimit none{0, 0};
  setrlimit(RLIMIT_RTPRIO, &none);
  setrlimit(RLIMIT_NICE, &none);
  constexpr rlim_t usual = 8 << 20, largest = 64 << 20;  // gcc takes 64 MiB for itself
  rlimit stack;
  if (getrlimit(RLIMIT_STACK, &stack) != 0) return;
  if (stack.rlim_cur > largest) stack.rlim_cur = usual;
  if (stack.rlim_max > largest) stack.rlim_max = largest;
  setrlimit(RLIMIT_STACK, &stack);
}

// The first process of a namespace only waits for the others. No limit and no filter holds it, so none of them
// may look into it. What is executed can be looked into again.
void stay_behind_as_first() {
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  const pid_t program = fork();
  if (program == 0) return;
  if (program < 0) _exit(127);
  syscall(SYS_close_range, 0u, ~0u, 0);
  for (int status = 0;;)
    if (waitpid(-1, &status, 0) == program)
      _exit(WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
}

int execute(int argc, char** argv, Calls calls) {
  if (argc < 8 || std::strcmp(argv[6], "--") != 0) return 2;
  if (getpid() == 1) stay_behind_as_first();
  const auto processes = static_cast<rlim_t>(std::atol(argv[2]));
  const auto uid = static_cast<uid_t>(std::strtoul(argv[4], nullptr, 10));
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
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  // A kernel without filters: the sandbox's other walls stand.
  if (calls != Calls::all) (void)harness::deny_calls(calls);
  if (chdir(argv[5]) != 0) std::fprintf(stderr, "cannot enter %s: %s\n", argv[5], std::strerror(errno));
  execvp(argv[7], argv + 7);
  std::fprintf(stderr, "cannot execute %s: %s\n", argv[7], std::strerror(errno));
  return 127;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "serve") == 0) return harness::serve(3);
  if (argc > 2 && std::strcmp(argv[1], "exec") == 0) return execute(argc, argv, Calls::no_dangerous);
  if (argc > 2 && std::strcmp(argv[1], "alone") == 0) return execute(argc, argv, Calls::no_shared_memory);
  if (argc > 2 && std::strcmp(argv[1], "trace") == 0) return execute(argc, argv, Calls::all);
  if (argc > 4 && std::strcmp(argv[1], "enter") == 0) return harness::enter(argv[2], argv[3], argv + 4);
  std::fprintf(stderr, "harness starts this program; there is nothing to type here\n");
  return 2;
}
