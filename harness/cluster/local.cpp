// The executor "local": a process of this machine per shard, one after the other, because they would disturb each
// other's times.
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "harness/base/process.h"
#include "harness/cluster/executor.h"

namespace harness {
namespace {

class Local final : public Executor {
 public:
  ~Local() override { end(); }
  std::string name() const override { return "local"; }

  std::string script(const JobArray& array) const override {
    std::string lines;
    for (int shard = 0; shard < array.shards; ++shard)
      lines += fmt::format("{} shard {}\n", array.program.string(), (array.folder / std::to_string(shard)).string());
    return lines;
  }

  Result<std::string> submit(const JobArray&, const std::vector<int>& shards, const std::set<std::string>&) override {
    const std::string job = std::to_string(++jobs_);
    for (const int shard : shards) tasks_.push_back({.job = job, .shard = shard});
    return job;
  }

  Result<std::vector<Task>> poll(const JobArray& array) override {
    for (Task& task : tasks_) {
      if (task.state == Task::State::RUNNING) {
        int status = 0;
        if (waitpid(pid_, &status, WNOHANG) == 0) break;
        pid_ = -1;
        const bool ended = WIFEXITED(status) && WEXITSTATUS(status) == 0;
        task.state = ended ? Task::State::ENDED : Task::State::DIED;
        task.word = WIFSIGNALED(status) ? fmt::format("signal {}", WTERMSIG(status))
                                        : fmt::format("exit code {}", WEXITSTATUS(status));
      }
      if (task.state == Task::State::WAITING) {
        TRY(start(array, task));
        break;
      }
    }
    return tasks_;
  }

  Done cancel(const JobArray&) override {
    end();
    tasks_.clear();
    return ok();
  }

 private:
  Done start(const JobArray& array, Task& task) {
    const fs::path folder = array.folder / std::to_string(task.shard), log = folder.string() + ".log";
    const int out = open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (out < 0)
      return Error{fmt::format("{}: cannot write: {}", log.string(), std::strerror(errno)), ExitCode::machine};
    // Ctrl-C reaches the terminal's process group: the task has one of its own, and ends with this process.
    pid_ = start_process(
        {.command = {array.program.string(), "shard", folder.string()}, .output = out, .errors = out, .prepare = [] {
           return setpgid(0, 0) == 0 && prctl(PR_SET_PDEATHSIG, SIGTERM) == 0;
         }});
    const int error = errno;
    close(out);
    if (pid_ < 0) return Error{fmt::format("cannot start a shard: {}", std::strerror(error)), ExitCode::machine};
    task.state = Task::State::RUNNING;
    return ok();
  }

  void end() {
    if (pid_ <= 0) return;
    kill(pid_, SIGTERM);
    while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
    pid_ = -1;
  }

  std::vector<Task> tasks_;
  pid_t pid_ = -1;  // of the task that runs; -1: none
  int jobs_ = 0;
};

const ExecutorMaker local_maker{"local", []() -> std::unique_ptr<Executor> { return std::make_unique<Local>(); }};
const Register<ExecutorMaker> register_local(&local_maker);

}  // namespace
}  // namespace harness
