// Options of commands that an executor can run elsewhere.
#pragma once

#include <string>
#include <vector>

#include "harness/cli/command.h"
#include "harness/cluster/run_shards.h"

namespace harness {

struct ExecutorOptions {
  std::string executor;
  bool dry_run = false;
  /// After Ctrl-C.
  static constexpr const char* goes_on =
      "finished runs are kept, and jobs of a cluster go on; run the same command again to collect them\n";

  std::vector<Option> options();
  Option per_job();
  Result<ExecutorSettings> settings() const;

 private:
  std::string partition_, gres_, time_, account_, constraint_, per_job_;
  std::vector<std::string> sbatch_;
};

/// Prints what happens to jobs, a line each.
void show_jobs(const JobProgress& progress);

}  // namespace harness
