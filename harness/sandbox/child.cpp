#include "harness/sandbox/child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <mutex>
#include <thread>

#include "harness/base/interrupt.h"
#include "harness/base/process.h"
#include "harness/base/text.h"
#include "harness/sandbox/door.h"
#include "harness/sandbox/guard.h"

namespace harness {

struct Child::State {
  pid_t pid = -1;
  int pidfd = -1;
  int pipe = -1;
  int stop = -1;  // eventfd: a process that escaped may hold the pipe open for ever
  size_t limit = 0;
  std::thread reader;
  mutable std::mutex mutex;
  std::string text;
  size_t printed = 0;
  std::atomic<bool> flooded{false};
  bool reaped = false;
  Ended ended;
  // Only for a container: the descriptors for its first process, and the command that removes the container.
  std::unique_ptr<Door> door;
  int output = -1, channel = -1;
  std::vector<std::string> removal;

  // Closes our copies of the descriptors for the container: the other end sees the end of a stream only when all copies
  // are closed.
  void let_go() {
    for (int* fd : {&output, &channel}) {
      if (*fd >= 0) close(*fd);
      *fd = -1;
    }
  }

  // Returns when the container has its descriptors or can no longer ask for them.
  void wait_at_door() {
    for (;;) {
      pollfd polled[] = {{door->listener(), POLLIN, 0}, {pidfd, POLLIN, 0}, {pipe, POLLIN, 0}};
      if (poll(polled, 3, -1) < 0) continue;
      if (polled[0].revents) door->hand_over(output, channel);
      if (polled[0].revents || polled[1].revents) return let_go();
      (void)take_output();  // the container program prints here why it cannot start a container
    }
  }

  // Takes what is in the pipe now. False: the program closed it.
  bool take_output() {
    char chunk[1 << 16];  // as much as a pipe holds
    const std::lock_guard lock(mutex);
    const ssize_t n = read(pipe, chunk, sizeof chunk);
    if (n < 0) return errno == EAGAIN || errno == EINTR;
    printed += static_cast<size_t>(n);
    const size_t room = limit + 1 - std::min(limit + 1, text.size());  // one more than shown: it tells of the cut
    text.append(chunk, std::min(room, static_cast<size_t>(n)));
    if (printed > flood_bytes && !flooded.exchange(true)) end();
    return n > 0;
  }

  void read_output() {
    if (door) wait_at_door();
    for (;;) {
      pollfd polled[] = {{pipe, POLLIN, 0}, {stop, POLLIN, 0}};
      if (poll(polled, 2, -1) < 0) continue;
      if (polled[0].revents == 0 || !take_output()) return;
      if (flooded && polled[1].revents) return;
    }
  }

  void end() {
    // The client of a container ends by itself after the container.
    if (door) return door->close();
    // With --sandbox none there is no namespace whose end would kill the other processes of the group.
    ::kill(-pid, SIGKILL);
    ::kill(pid, SIGKILL);
  }

  void reap() {
    constexpr int patience_ms = 10'000;
    pollfd gone{pidfd, POLLIN, 0};
    if (door && poll(&gone, 1, patience_ms) == 0) {
      ::kill(-pid, SIGKILL);
      (void)run_process(removal);
    }
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    // Processes that it left in its group must not keep the pipe open. (In a sandbox they ended with the pid namespace.)
    ::kill(-pid, SIGKILL);
    eventfd_write(stop, 1);
    reader.join();
    if (WIFEXITED(status)) ended.exit = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) ended.signal = WTERMSIG(status);
    // bwrap reports the signal of its child as 128 + signal.
    if (ended.exit > 128 && ended.exit < 128 + 65) ended.signal = ended.exit - 128;
    ended.flooded = flooded;
    ended.began = !door || door->handed_over();
    for (const int fd : {pipe, pidfd, stop}) close(fd);
    reaped = true;
  }
};

namespace {

// In the new process, before it becomes the sandbox's program.
bool enter_sandbox(const SandboxRequest& request, pid_t parent) {
  if (!request.terminal) setsid();
  if (const int terminal = request.terminal ? open("/dev/tty", O_RDWR | O_CLOEXEC) : -1; terminal >= 0)
    dup2(terminal, 0);
  // The client of a container needs no limits: it writes to its own store, and it must live on to clean up.
  if (request.door.empty()) {
    stay_behind_as_guard(parent);
    const rlimit core{0, 0};
    setrlimit(RLIMIT_CORE, &core);
    const auto file = static_cast<rlim_t>(request.file_bytes);
    const rlimit files{file, file};
    setrlimit(RLIMIT_FSIZE, &files);
  }
  // If the machine runs out of memory, the kernel kills this process and not the harness.
  const int score = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  [[maybe_unused]] const ssize_t raised = write(score, "1000", 4);
  if (request.channel == channel_fd) fcntl(channel_fd, F_SETFD, 0);
  if (request.channel >= 0 && request.channel != channel_fd) dup2(request.channel, channel_fd);
  // The program gets no other descriptor of the harness.
  syscall(SYS_close_range, request.channel >= 0 ? channel_fd + 1 : channel_fd, ~0u, 0);
  return true;
}

}  // namespace

Result<Child> Child::start(const Sandbox& sandbox, SandboxRequest request, const fs::path& launcher) {
  auto state = std::make_unique<State>();
  if (sandbox.container()) {
    state->door = std::make_unique<Door>();
    TRY(state->door->open());
    request.door = state->door->folder();
    request.name = state->door->name();
    state->removal = sandbox.removal(request.name);
    state->channel = request.channel < 0 ? -1 : fcntl(request.channel, F_DUPFD_CLOEXEC, 0);
    request.channel = -1;
  }
  std::vector<std::string> line = sandbox.command_line(request, launcher);
  if (line.empty()) return Error{"nothing to start", ExitCode::machine};
  if (line[0].find('/') == std::string::npos) line[0] = find_program(line[0]);
  int out[2];
  if (pipe2(out, O_CLOEXEC) != 0)
    return Error{fmt::format("cannot make a pipe: {}", std::strerror(errno)), ExitCode::machine};
  const pid_t pid =
      start_process({.command = std::move(line),
                     .environment = state->door ? nullptr : &request.environment,
                     .output = request.terminal ? 1 : out[1],
                     .errors = request.terminal ? 2 : out[1],
                     .prepare = [&request, parent = getpid()] { return enter_sandbox(request, parent); }});
  const int error = errno;
  if (state->door && pid > 0)
    state->output = out[1];
  else
    close(out[1]);
  if (pid < 0) {
    close(out[0]);
    return Error{fmt::format("cannot start a process: {}", std::strerror(error)), ExitCode::machine};
  }
  state->pid = pid;
  state->pidfd = static_cast<int>(syscall(SYS_pidfd_open, pid, 0));
  state->pipe = out[0];
  fcntl(out[0], F_SETFL, O_NONBLOCK);  // two threads read it
  state->stop = eventfd(0, EFD_CLOEXEC);
  state->limit = request.output_bytes;
  state->reader = std::thread(&State::read_output, state.get());
  return Child(std::move(state));
}

Child::Child(std::unique_ptr<State> state) : state_(std::move(state)) {}
Child::Child(Child&&) noexcept = default;
Child& Child::operator=(Child&& other) noexcept {
  if (this != &other) {
    Child old(std::move(state_));
    state_ = std::move(other.state_);
  }
  return *this;
}
Child::~Child() {
  if (!state_ || state_->reaped) return;
  kill();
  state_->reap();
}

bool Child::wait(double timeout_s) {
  if (state_->reaped) return true;
  pollfd polled{state_->pidfd, POLLIN, 0};
  const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(timeout_s);
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
    // At most 50 ms at a time: a signal wakes only one thread, but every thread must look at the flag.
    if (poll(&polled, 1, static_cast<int>(std::clamp<int64_t>(left.count(), 0, 50))) > 0) break;
    if (left.count() <= 0 || interrupted()) return false;
  }
  state_->reap();
  return true;
}

void Child::kill() {
  if (!state_->reaped) state_->end();
}

const Ended& Child::ended() const { return state_->ended; }

std::string Child::output() const {
  // A program prints before it answers, so its text is in the pipe by now. The thread that reads the pipe may be late.
  if (!state_->reaped) (void)state_->take_output();
  const std::lock_guard lock(state_->mutex);
  return printable(state_->text, state_->limit);
}

}  // namespace harness
