// One run as one job: all its tables are measured on one node.
#pragma once

#include <optional>

#include "harness/cluster/run_shards.h"
#include "harness/engine/run.h"

namespace harness {

struct JobPlan {
  RunOptions run;
  std::string executor;
  ExecutorSettings settings;  // each one given on the command line replaces that of the config
  OnJobs on_jobs;
};

/// Waits for the job, brings the run home and renders its report. Nothing if the process was interrupted: the job goes
/// on, and the same plan finds it.
Result<std::optional<RunSummary>> run_as_job(const JobPlan& plan);

/// The script of that job. Nothing is submitted or written.
Result<std::string> job_script(const JobPlan& plan);

}  // namespace harness
