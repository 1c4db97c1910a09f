// docker cannot pass descriptors into a container, and no container program ends a container when the process that asked for
// it ends. So the first process connects to the harness and receives its descriptors there. When that connection ends, for any
// reason, this process ends, and with it everything in the container.
#include "harness/launcher/container_init.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace harness {
namespace {

constexpr int channel = 3;     // the number that harness-worker expects
constexpr int first_free = 8;  // above the descriptors that a program is started with

int connect_to(const char* path) {
  const int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  std::snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
  if (fd < 0 || connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) return -1;
  const int moved = fcntl(fd, F_DUPFD_CLOEXEC, first_free);
  close(fd);
  return moved;
}

// Receives the descriptors of the program: its output and, for a worker, its channel. Returns their number.
int receive(int connection, int* descriptors) {
  char byte;
  iovec part{&byte, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int) * 2)];
  msghdr message = {};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  ssize_t n;
  do n = recvmsg(connection, &message, MSG_CMSG_CLOEXEC);
  while (n < 0 && errno == EINTR);
  const cmsghdr* c = n == 1 ? CMSG_FIRSTHDR(&message) : nullptr;
  if (!c || c->cmsg_type != SCM_RIGHTS) return 0;
  const int count = static_cast<int>((c->cmsg_len - CMSG_LEN(0)) / sizeof(int));
  std::memcpy(descriptors, CMSG_DATA(c), static_cast<size_t>(count) * sizeof(int));
  for (int i = 0; i < count; ++i) {
    const int moved = fcntl(descriptors[i], F_DUPFD_CLOEXEC, first_free);
    close(descriptors[i]);
    descriptors[i] = moved;
  }
  return count;
}

[[noreturn]] void become(char** command, const int* descriptors, int count, rlim_t file_bytes) {
  setsid();
  const rlimit core{0, 0}, file{file_bytes, file_bytes};
  setrlimit(RLIMIT_CORE, &core);
  setrlimit(RLIMIT_FSIZE, &file);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  const int null = open("/dev/null", O_RDONLY);
  dup2(null, 0);
  dup2(descriptors[0], 1);
  dup2(descriptors[0], 2);
  if (count > 1) dup2(descriptors[1], channel);
  syscall(SYS_close_range, count > 1 ? channel + 1 : channel, ~0u, 0);
  execv(command[0], command);
  std::fprintf(stderr, "cannot execute %s: %s\n", command[0], std::strerror(errno));
  _exit(127);
}

}  // namespace

int container_init(const char* socket_path, const char* file_bytes, char** command) {
  sigset_t child_ended;
  sigemptyset(&child_ended);
  sigaddset(&child_ended, SIGCHLD);
  sigprocmask(SIG_BLOCK, &child_ended, nullptr);
  const int connection = connect_to(socket_path), ends = signalfd(-1, &child_ended, SFD_CLOEXEC);
  int descriptors[2];
  const int count = connection < 0 ? 0 : receive(connection, descriptors);
  if (count == 0) {
    std::fprintf(stderr, "the harness is gone: %s\n", std::strerror(errno));
    return 127;
  }
  const pid_t program = fork();
  if (program == 0) become(command, descriptors, count, static_cast<rlim_t>(std::atoll(file_bytes)));
  for (int i = 0; i < count; ++i) close(descriptors[i]);
  // The program has the same user, and must not be able to trace this process.
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  for (;;) {
    pollfd polled[] = {{ends, POLLIN, 0}, {connection, POLLIN, 0}};
    if (poll(polled, 2, -1) < 0) continue;
    if (polled[1].revents) break;
    signalfd_siginfo unused;
    (void)!read(ends, &unused, sizeof unused);
    int status = 0;
    for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG)) > 0;)
      if (pid == program) {
        kill(-program, SIGKILL);  // if this is not the first process, its children would live on
        _exit(WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
      }
  }
  kill(-program, SIGKILL);
  _exit(128 + SIGKILL);
}

}  // namespace harness
