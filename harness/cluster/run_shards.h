// Runs shards on an executor and brings their results home, whatever happens in between.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "harness/cluster/executor.h"

namespace harness {

struct JobProgress {
  size_t done = 0, of = 0;       // runs
  int waiting = 0, running = 0;  // tasks
  std::string note;              // news: a job died, was submitted again, or cannot start
};
using OnJobs = std::function<void(const JobProgress&)>;

/// Returns earlier if the process was interrupted.
void wait_for(double seconds);

struct ShardsPlan {
  std::string label;  // the name of the array begins with it
  fs::path home;      // gets the array
  fs::path results;   // gets the runs
  int per_shard = 1;  // runs
  std::vector<ShardRun> runs;
  ExecutorSettings settings;
  std::function<void(double)> wait = wait_for;  // for so many seconds
};

/// By key. A run without an outcome was interrupted: its job goes on.
using RunOutcomes = std::map<std::string, RunOutcome>;

/// True if an earlier command left an array behind: its jobs may still run.
bool has_jobs(const fs::path& home);
enum class Logs { keep, remove };
/// To be called when the outcomes are recorded elsewhere: until then the next command would take them again.
void forget_jobs(const fs::path& home, Logs logs);
/// Ends the jobs of that array, and forgets it.
Done drop_jobs(Executor& executor, const fs::path& home);

/// If `home` has an array, that one is finished: of its runs those that `plan` wants, and no others.
Result<RunOutcomes> run_shards(Executor& executor, const ShardsPlan& plan, const OnJobs& on_jobs);

/// The script of an array for these runs. Nothing is submitted or written.
Result<std::string> script_of(const Executor& executor, const ShardsPlan& plan);

}  // namespace harness
