#include "harness/cli/executor_options.h"

#include <fmt/format.h>

#include <charconv>

#include "harness/base/text.h"
#include "harness/cli/console.h"

namespace harness {

std::vector<Option> ExecutorOptions::options() {
  return {
      {"--executor", &executor, "run what is new in jobs: slurm, or local (a process per job); see docs/cluster.md",
       "NAME"},
      {"--partition", &partition_, "Slurm: the partition of the jobs", "NAME"},
      {"--gres", &gres_, "Slurm: generic resources of a job, for example gpu:1", "LIST"},
      {"--time", &time_, "Slurm: the longest time of one job, for example 30m", "TIME"},
      {"--account", &account_, "Slurm: who pays", "NAME"},
      {"--constraint", &constraint_, "Slurm: features that a node must have", "LIST"},
      {"--sbatch", &sbatch_, "Slurm: one more option of sbatch, for example --sbatch=--exclusive; may be repeated",
       "OPTION"},
      {"--dry-run", &dry_run, "print the script of the jobs, and submit nothing"},
  };
}

Option ExecutorOptions::per_job() {
  return {"--per-job", &per_job_, "submissions that one job runs (default: 10)", "N"};
}

Result<ExecutorSettings> ExecutorOptions::settings() const {
  ExecutorSettings settings{partition_, gres_, account_, constraint_, "--partition", {}, {}, sbatch_};
  const bool any = dry_run || !time_.empty() || !per_job_.empty() || !sbatch_.empty() ||
                   !(partition_ + gres_ + account_ + constraint_).empty();
  if (any && executor.empty())
    return Error{fmt::format("--partition, --gres, --time, --account, --constraint, --sbatch{} and --dry-run are about jobs; add "
                             "--executor slurm",
                             per_job_.empty() ? "" : ", --per-job")};
  if (!time_.empty()) {
    settings.time_s = parse_duration(time_);
    if (!settings.time_s) return Error{fmt::format("--time \"{}\" is not a time; write for example 30m or 2h", time_)};
  }
  if (!per_job_.empty()) {
    int value = 0;
    const auto [end, error] = std::from_chars(per_job_.data(), per_job_.data() + per_job_.size(), value);
    if (error != std::errc() || *end != '\0' || value < 1)
      return Error{fmt::format("--per-job \"{}\" is not a number from 1", per_job_)};
    settings.per_job = value;
  }
  return settings;
}

void show_jobs(const JobProgress& p) {
  print(fmt::format(
      "[{}/{}] {}\n", p.done, p.of,
      !p.note.empty() ? p.note : fmt::format("{} running, {} waiting", counted(p.running, "job"), p.waiting)));
}

}  // namespace harness
