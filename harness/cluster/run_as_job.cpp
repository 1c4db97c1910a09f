#include "harness/cluster/run_as_job.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/base/hash.h"
#include "harness/base/text.h"
#include "harness/engine/lab.h"
#include "harness/plan/plan.h"
#include "harness/python/reports.h"
#include "harness/store/store.h"

namespace harness {
namespace {

struct Job {
  Lab lab;
  ShardsPlan shards;
  std::string key;
};

std::vector<ShardRun> run_per_sweep(const Lab& lab, const RunOptions& options) {
  std::vector<ShardRun> runs;
  for (const Case& planned : lab.plan.cases) {
    if (std::ranges::any_of(runs,
                            [&](const ShardRun& run) { return run.options.selection.sweeps[0] == planned.sweep; }))
      continue;
    RunOptions own = options;
    own.selection.sweeps = {planned.sweep};
    own.command.insert(own.command.end(), {"--sweep", planned.sweep});
    runs.push_back({fmt::format("sweep-{}", runs.size()), std::move(own)});
  }
  return runs;
}

// Mistakes in the config are found before anything is submitted.
Result<Job> job_of(const JobPlan& plan) {
  TRY_ASSIGN(Lab lab, load_lab(plan.run));
  Job job{std::move(lab), {}, ""};
  ShardRun run{"", plan.run};
  run.options.command.clear();  // other words may ask for the same
  Hash hash;
  hash.add(job.lab.config.text).add(shard_text({run})).add(plan.jobs == JobPlan::Jobs::one ? "" : "per sweep");
  for (const VariantInfo& variant : job.lab.variants) {
    TRY_ASSIGN(const std::string source, read_file(variant.file));
    hash.add(source);
  }
  job.key = hash.hex().substr(0, 16);
  job.shards = {.label = job.lab.config.lab,
                .home = job.lab.results / job.lab.config.lab / "jobs" / job.key / "shards"};
  job.shards.results = job.lab.results;
  if (plan.jobs == JobPlan::Jobs::one)
    job.shards.runs = {{job.key, plan.run}};
  else
    job.shards.runs = run_per_sweep(job.lab, plan.run);
  job.shards.settings = job.lab.config.executor;
  job.shards.settings.take(plan.settings);
  return job;
}

}  // namespace

Result<std::string> job_script(const JobPlan& plan) {
  TRY_ASSIGN(const Job job, job_of(plan));
  TRY_ASSIGN(const auto executor, make_executor(plan.executor));
  return script_of(*executor, job.shards);
}

Result<std::vector<RunSummary>> run_as_jobs(const JobPlan& plan) {
  TRY_ASSIGN(const Job job, job_of(plan));
  TRY_ASSIGN(const auto executor, make_executor(plan.executor));
  const fs::path& home = job.shards.home;
  TRY_ASSIGN(const RunLock lock, RunLock::take(home.parent_path().parent_path(), job.key));
  TRY_ASSIGN(const RunOutcomes outcomes, run_shards(*executor, job.shards, plan.on_jobs));
  std::vector<RunSummary> summaries;
  if (outcomes.size() < job.shards.runs.size()) return summaries;
  std::vector<std::string> errors;
  TRY_ASSIGN(Store store, Store::open(job.lab.results));
  for (const ShardRun& run : job.shards.runs) {
    const RunOutcome& outcome = outcomes.at(run.key);
    if (!outcome.error.empty()) {
      errors.push_back(plan.jobs == JobPlan::Jobs::one ? outcome.error
                                                       : fmt::format("sweep \"{0}\": {1}; --sweep {0} runs it again",
                                                                     run.options.selection.sweeps[0], outcome.error));
      continue;
    }
    RunSummary& summary =
        summaries.emplace_back(outcome.run, fs::path(), Counts(), static_cast<ExitCode>(outcome.exit));
    TRY_ASSIGN(summary.folder, store.write_run_folder(job.lab.results, summary.run_id));  // for the link `latest`
  }
  forget_jobs(home, errors.empty() ? Logs::remove : Logs::keep);
  for (const RunSummary& summary : summaries)
    if (plan.run.render) TRY(render_report(job.lab.root, summary.folder));
  if (!errors.empty()) return Error{join(errors, "\n"), ExitCode::machine};
  return summaries;
}

}  // namespace harness
