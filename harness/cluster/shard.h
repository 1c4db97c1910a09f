// A shard: runs that one job executes, one after the other, on one node. All that the job gets and leaves is in the
// folder of the shard, which the submitting machine and the node both see:
//   runs.json       what to run
//   outcomes/KEY    written when the run KEY has ended
//   harness.sqlite, <lab>/<run-id>/, sources/: its results
#pragma once

#include <string>
#include <vector>

#include "harness/engine/options.h"

namespace harness {

struct ShardRun {
  std::string key;     // a file name; the same key is the same run
  RunOptions options;  // `results` is the folder of the shard
};

struct RunOutcome {
  std::string key, node;
  std::string lab, run;  // id of the run
  std::string error;     // why there is no run
  double seconds = 0;
  int exit = 0;  // ExitCode of the run
};

/// The content of runs.json.
std::string shard_text(const std::vector<ShardRun>& runs);
Done write_shard(const fs::path& folder, const std::vector<ShardRun>& runs);
Result<std::vector<ShardRun>> read_shard(const fs::path& folder);
/// The outcomes until now.
Result<std::vector<RunOutcome>> read_outcomes(const fs::path& folder);

/// Makes the runs of the shard: a job calls it. Runs that have an outcome are not repeated, so a job that ended early
/// can be started again. A failure of the machine is an error, because another node may do better. Any other failure
/// is an outcome.
Result<ExitCode> run_shard(const fs::path& folder);

}  // namespace harness
