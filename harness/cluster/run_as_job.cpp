#include "harness/cluster/run_as_job.h"

#include "harness/base/hash.h"
#include "harness/base/interrupt.h"
#include "harness/engine/lab.h"
#include "harness/plan/plan.h"
#include "harness/store/store.h"

namespace harness {
namespace {

struct Job {
  Lab lab;
  ShardsPlan shards;
  std::string key;
};

// Mistakes in the config are found before anything is submitted.
Result<Job> job_of(const JobPlan& plan) {
  TRY_ASSIGN(Lab lab, load_lab(plan.run));
  Job job{std::move(lab), {}, ""};
  ShardRun run{"", plan.run};
  run.options.command.clear();  // other words may ask for the same
  Hash hash;
  hash.add(job.lab.config.text).add(shard_text({run}));
  for (const VariantInfo& variant : job.lab.variants) {
    TRY_ASSIGN(const std::string source, read_file(variant.file));
    hash.add(source);
  }
  job.key = hash.hex().substr(0, 16);
  job.shards = {.label = job.lab.config.lab,
                .home = job.lab.results / job.lab.config.lab / "jobs" / job.key / "shards"};
  job.shards.results = job.lab.results;
  job.shards.runs = {{job.key, plan.run}};
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

Result<std::optional<RunSummary>> run_as_job(const JobPlan& plan) {
  TRY_ASSIGN(const Job job, job_of(plan));
  TRY_ASSIGN(const auto executor, make_executor(plan.executor));
  const fs::path& home = job.shards.home;
  TRY_ASSIGN(const RunLock lock, RunLock::take(home.parent_path().parent_path(), job.key));
  TRY_ASSIGN(const RunOutcomes outcomes, run_shards(*executor, job.shards, plan.on_jobs));
  const auto outcome = outcomes.find(job.key);
  if (outcome == outcomes.end()) return std::optional<RunSummary>();
  if (!outcome->second.error.empty()) {
    forget_jobs(home, Logs::keep);
    return Error{outcome->second.error, ExitCode::machine};
  }
  RunSummary summary{outcome->second.run, {}, {}, static_cast<ExitCode>(outcome->second.exit)};
  TRY_ASSIGN(Store store, Store::open(job.lab.results));
  TRY_ASSIGN(summary.folder, store.write_run_folder(job.lab.results, summary.run_id));  // for the link `latest`
  forget_jobs(home, Logs::remove);
  if (plan.run.render) TRY(render_report(job.lab.root, summary.folder));
  return std::optional(std::move(summary));
}

}  // namespace harness
