#include "harness/base/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>

#include "harness/base/interrupt.h"
#include "harness/base/stopwatch.h"
#include "harness/base/text.h"

namespace harness {
namespace {

using Clock = std::chrono::steady_clock;

struct Stream {
  int fd = -1;
  std::string* text = nullptr;
};

// Reads the available bytes. False at the end of the stream.
bool drain(Stream& stream, size_t limit) {
  char chunk[1 << 14];
  const ssize_t n = read(stream.fd, chunk, sizeof chunk);
  if (n < 0) return errno == EINTR || errno == EAGAIN;
  if (n == 0) return false;
  const size_t room = limit - std::min(limit, stream.text->size());
  stream.text->append(chunk, std::min(room, static_cast<size_t>(n)));
  return true;
}

Error cannot_start(const std::string& program, int error) {
  return {fmt::format("cannot start \"{}\": {}", program, std::strerror(error)), ExitCode::machine};
}

std::vector<char*> pointers(const std::vector<std::string>& words) {
  std::vector<char*> all;
  for (const std::string& word : words) all.push_back(const_cast<char*>(word.c_str()));
  all.push_back(nullptr);
  return all;
}

}  // namespace

pid_t start_process(const NewProcess& process) {
  const std::vector<char*> arguments = pointers(process.command);
  const std::vector<char*> environment = process.environment ? pointers(*process.environment) : std::vector<char*>();
  const pid_t pid = fork();
  if (pid != 0) return pid;
  restore_signals();
  const int null = open("/dev/null", O_RDONLY);
  if (null >= 0) dup2(null, 0);
  dup2(process.output, 1);
  dup2(process.errors, 2);
  if (!process.prepare || process.prepare())
    execve(arguments[0], arguments.data(), process.environment ? environment.data() : environ);
  const int error = errno;
  if (process.failure < 0)
    dprintf(2, "cannot execute %s: %s\n", arguments[0], std::strerror(error));
  else
    (void)!write(process.failure, &error, sizeof error);
  _exit(127);
}

Result<ProcessResult> run_process(const std::vector<std::string>& arguments, const ProcessOptions& options) {
  const std::string program =
      arguments.at(0).find('/') == std::string::npos ? find_program(arguments[0]) : arguments[0];
  if (program.empty()) return Error{fmt::format("cannot find the program \"{}\"", arguments[0]), ExitCode::machine};

  int out[2], err[2], failure[2];
  if (pipe2(out, O_CLOEXEC) || pipe2(err, O_CLOEXEC) || pipe2(failure, O_CLOEXEC))
    return Error{fmt::format("cannot make a pipe: {}", std::strerror(errno)), ExitCode::machine};
  const Stopwatch watch;
  NewProcess process{.command = arguments, .output = out[1], .errors = err[1], .failure = failure[1]};
  process.command[0] = program;
  process.prepare = [&options, parent = getpid()] {
    setpgid(0, 0);
    // When the harness ends, the Linux kernel kills this process, because its result has no reader any more.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(127);
    for (const std::string& e : options.environment) putenv(const_cast<char*>(e.c_str()));
    return options.folder.empty() || chdir(options.folder.c_str()) == 0;
  };
  const pid_t pid = start_process(process);
  int error = pid < 0 ? errno : 0;
  close(out[1]);
  close(err[1]);
  close(failure[1]);

  if (pid < 0) {
    for (const int fd : {out[0], err[0], failure[0]}) close(fd);
    return cannot_start(arguments[0], error);
  }

  ProcessResult result;
  Stream streams[] = {{out[0], &result.out}, {err[0], &result.err}};
  const auto deadline = Clock::now() + std::chrono::duration<double>(options.timeout_s);
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
  result.seconds = watch.s();
  if (WIFEXITED(status)) result.exit = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  const bool never_ran = read(failure[0], &error, sizeof error) == sizeof error;
  close(failure[0]);
  if (never_ran) return cannot_start(arguments[0], error);
  return result;
}

Done allow_open_files() {
  constexpr rlim_t enough = 256;
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= enough) return ok();
  limit.rlim_cur = std::min(limit.rlim_max, enough);
  (void)setrlimit(RLIMIT_NOFILE, &limit);
  if (limit.rlim_cur >= enough) return ok();
  return Error{
      fmt::format("this shell allows only {} open files; raise the limit with ulimit -n {}", limit.rlim_cur, enough),
      ExitCode::machine};
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
