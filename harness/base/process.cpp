#include "harness/base/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>

#include "harness/base/interrupt.h"
#include "harness/base/text.h"

namespace harness {
namespace {

using Clock = std::chrono::steady_clock;

struct Stream {
  int fd = -1;
  std::string* text = nullptr;
};

// Reads what is there; false at the end of the stream.
bool drain(Stream& stream, size_t limit) {
  char chunk[1 << 14];
  const ssize_t n = read(stream.fd, chunk, sizeof chunk);
  if (n < 0) return errno == EINTR || errno == EAGAIN;
  if (n == 0) return false;
  const size_t room = limit - std::min(limit, stream.text->size());
  stream.text->append(chunk, std::min(room, static_cast<size_t>(n)));
  return true;
}

}  // namespace

Result<ProcessResult> run_process(const std::vector<std::string>& arguments, const ProcessOptions& options) {
  const std::string program =
      arguments.at(0).find('/') == std::string::npos ? find_program(arguments[0]) : arguments[0];
  if (program.empty()) return Error{fmt::format("cannot find the program \"{}\"", arguments[0]), ExitCode::machine};

  std::vector<char*> argv;
  for (const std::string& a : arguments) argv.push_back(const_cast<char*>(a.c_str()));
  argv.push_back(nullptr);

  int out[2], err[2], failure[2];
  if (pipe2(out, O_CLOEXEC) || pipe2(err, O_CLOEXEC) || pipe2(failure, O_CLOEXEC))
    return Error{fmt::format("cannot make a pipe: {}", std::strerror(errno)), ExitCode::machine};
  const auto start = Clock::now();
  const pid_t parent = getpid(), pid = fork();
  if (pid < 0)
    return Error{fmt::format("cannot start \"{}\": {}", arguments[0], std::strerror(errno)), ExitCode::machine};
  if (pid == 0) {
    setpgid(0, 0);
    // Nobody waits for what it does once we are killed.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(127);
    restore_signals();
    dup2(out[1], 1);
    dup2(err[1], 2);
    const int null = open("/dev/null", O_RDONLY);
    if (null >= 0) dup2(null, 0);
    for (const std::string& e : options.environment) putenv(const_cast<char*>(e.c_str()));
    if (options.folder.empty() || chdir(options.folder.c_str()) == 0) execv(program.c_str(), argv.data());
    const int error = errno;
    [[maybe_unused]] const ssize_t told = write(failure[1], &error, sizeof error);
    _exit(127);
  }
  close(out[1]);
  close(err[1]);
  close(failure[1]);

  ProcessResult result;
  Stream streams[] = {{out[0], &result.out}, {err[0], &result.err}};
  const auto deadline = start + std::chrono::duration<double>(options.timeout_s);
  while (streams[0].fd >= 0 || streams[1].fd >= 0) {
    pollfd polled[] = {{streams[0].fd, POLLIN, 0}, {streams[1].fd, POLLIN, 0}};
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) {
      result.timed_out = true;
      kill(-pid, SIGKILL);
      break;
    }
    if (options.on_interrupt == OnInterrupt::stop && interrupted()) {
      kill(-pid, SIGKILL);
      break;
    }
    if (poll(polled, 2, static_cast<int>(std::min<int64_t>(left + 1, 200))) < 0) continue;
    for (int i = 0; i < 2; ++i)
      if (polled[i].revents && !drain(streams[i], options.output_limit)) {
        close(streams[i].fd);
        streams[i].fd = -1;
      }
  }
  for (const Stream& s : streams)
    if (s.fd >= 0) close(s.fd);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  result.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  if (WIFEXITED(status)) result.exit = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  int error = 0;
  const bool never_ran = read(failure[0], &error, sizeof error) == sizeof error;
  close(failure[0]);
  if (never_ran)
    return Error{fmt::format("cannot start \"{}\": {}", arguments[0], std::strerror(error)), ExitCode::machine};
  return result;
}

std::string find_program(const std::string& name) {
  const char* path = std::getenv("PATH");
  for (const std::string& folder : split(path ? path : "/usr/local/bin:/usr/bin:/bin", ':')) {
    const std::string candidate = folder + "/" + name;
    if (!folder.empty() && access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return "";
}

}  // namespace harness
