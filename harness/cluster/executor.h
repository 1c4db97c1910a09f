// Where shards run. run_shards() is the only caller; nothing else knows what an executor is.
//
// What can go wrong, and who deals with it:
//
// - The tools are missing, or refuse the job: submit() returns an error that says why. Nothing was started.
//
// - The scheduler does not answer for a while: poll() returns an error. run_shards() says so and asks again.
//
// - A job can never start: poll() says STUCK. run_shards() says why and what to do.
//
// - A job dies because its node is lost or it crashes: poll() says DIED. run_shards() submits it again, at most twice,
//   on other nodes. After its time limit (OUT_OF_TIME) the same node may be used.
//
// - A job is preempted: poll() says PREEMPTED. run_shards() submits it again.
//
// - Somebody cancels a job: poll() says CANCELLED. Its runs have failed, and the next command runs them.
//
// - The submitting machine goes away: the jobs go on. The next command finds them by the name of the array.
//
// - Two commands use one folder of results: the lock of the results refuses the second.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "harness/base/registry.h"
#include "harness/cluster/shard.h"
#include "harness/config/executor_settings.h"

namespace harness {

/// Shards that are submitted together; shard i has the folder `folder`/i.
struct JobArray {
  std::string name;  // no other array has it
  fs::path folder;   // absolute, on a file system that the nodes share
  int shards = 0;
  ExecutorSettings settings;
  fs::path program, root, working_folder;  // the harness, its files, and where the jobs start it
};

struct Task {
  enum class State { WAITING, STUCK, RUNNING, ENDED, DIED, OUT_OF_TIME, PREEMPTED, CANCELLED };
  std::string job;
  int shard = 0;
  State state = State::WAITING;
  std::string node;  // empty: not known
  std::string word;  // what the executor says: "NODE_FAIL", or why the task waits
};

class Executor {
 public:
  virtual ~Executor() = default;
  virtual std::string name() const = 0;
  /// The text of the job script, for `--dry-run`.
  virtual std::string script(const JobArray& array) const = 0;
  /// Starts a task for each of these shards, on none of the nodes in `avoid` if there are others. Returns the job.
  virtual Result<std::string> submit(const JobArray& array, const std::vector<int>& shards,
                                     const std::set<std::string>& avoid) = 0;
  /// All tasks of the array that the executor remembers, older jobs first.
  virtual Result<std::vector<Task>> poll(const JobArray& array) = 0;
  virtual Done cancel(const JobArray& array) = 0;
  /// The outcomes that the shard has written so far. An executor without a shared file system fetches its folder first.
  virtual Result<std::vector<RunOutcome>> collect(const JobArray& array, int shard) {
    return read_outcomes(array.folder / std::to_string(shard));
  }
};

/// Each executor is a file that registers a maker at its end.
struct ExecutorMaker {
  std::string name;
  std::unique_ptr<Executor> (*make)();
};

/// `--executor "slrm" is unknown (did you mean "slurm"?); there are local, slurm`
Result<std::unique_ptr<Executor>> make_executor(const std::string& name);

}  // namespace harness
