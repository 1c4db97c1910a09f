// A run as a job, or each of its sweeps. A run is measured on one node, so that no table, plot or claim compares times
// of two.
#pragma once

#include "harness/cluster/run_shards.h"
#include "harness/engine/run.h"

namespace harness {

struct JobPlan {
  RunOptions run;
  std::string executor;
  ExecutorSettings settings;  // each one given on the command line replaces that of the config
  OnJobs on_jobs;
  enum class Jobs { one, per_sweep } jobs = Jobs::one;  // per_sweep: each sweep is a run of its own
};

/// Waits for the jobs, brings their runs home and renders the reports. Empty if the process was interrupted: the jobs
/// go on, and the same plan finds them.
Result<std::vector<RunSummary>> run_as_jobs(const JobPlan& plan);

/// The script of these jobs. Nothing is submitted or written.
Result<std::string> job_script(const JobPlan& plan);

}  // namespace harness
