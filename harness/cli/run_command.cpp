// harness run: from the YAML file to the report.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <tuple>

#include "harness/base/process.h"
#include "harness/base/text.h"
#include "harness/cli/command.h"
#include "harness/cli/console.h"
#include "harness/cli/executor_options.h"
#include "harness/cli/points_lines.h"
#include "harness/cli/progress.h"
#include "harness/cli/selection.h"
#include "harness/cluster/run_as_job.h"
#include "harness/engine/run.h"
#include "harness/grade/grades.h"
#include "harness/store/read_run.h"

namespace harness {
namespace {

class Run final : public Command {
 public:
  std::string name() const override { return "run"; }
  std::string help() const override { return "build, check, time and report the variants of a lab"; }
  int order() const override { return 1; }

  std::vector<Option> options() override {
    std::vector<Option> all = selection_.options();
    for (const Option& own : std::vector<Option>{
             {"--budget", &budget_, "shorten the sampling so that the run takes about this long, for example 60s; each case is called at least once", "TIME"},
             {"--longest-call", &longest_call_, "leave out cases of which one call takes longer, as estimated from smaller cases; for example 5s", "TIME"},
             {"--fresh", &fresh_, "measure again what the store already knows"},
             {"--jobs", &jobs_, "compilers at the same time (default: one per core)", "N"},
             {"--results", &results_, "folder of the store and the reports (default: results/)", "DIR"},
             {"--sandbox", &sandbox_, "where untrusted code runs; see harness list", "NAME"},
             {"--sanitize",
              &sanitize_,
              "only check CPU variants, with gcc's thread, address or undefined sanitizer",
              "NAME",
              {"thread", "address", "undefined"}},
             {"--no-report", &no_report_, "do not render the report; harness report does it later, here or elsewhere"},
             {"--wrap", &wrap_,
              "start workers through this command, for example \"compute-sanitizer --tool racecheck\"", "COMMAND"},
             {"--fail-on", &fail_on_, "also fail (exit code 1) if a claim of the config FAILS", "WHAT", {"claims"}},
             {"--points", &points_, "the points that this run gives, by the rules in the config"},
             {"--rules", &rules_, "a YAML file with rules that replace the key grade of the config", "FILE"},
             {"--json", &json_, "events as JSON, one per line, on standard output"},
             {"--quiet", &quiet_, "only failures and the summary"}})
      all.push_back(own);
    for (const Option& option : executor_.options()) all.push_back(option);
    all.push_back({"--job-per-sweep", &job_per_sweep_, "Slurm: run each sweep as a job, which may use another node; each is a run of its own"});
    return all;
  }

  Result<ExitCode> run() override {
    TRY_ASSIGN(RunOptions options, selection_.run_options());
    for (const auto& [name, text, seconds] : {std::tuple("--budget", &budget_, &options.budget_s),
                                              std::tuple("--longest-call", &longest_call_, &options.longest_call_s)}) {
      if (text->empty()) continue;
      *seconds = parse_duration(*text);
      if (!*seconds) return Error{fmt::format("{} \"{}\" is not a time; write for example 60s or 5m", name, *text)};
    }
    options.known = fresh_ ? Known::measure_again : points_ ? Known::time_compared : Known::reuse;
    if (!jobs_.empty()) {
      const auto [end, error] = std::from_chars(jobs_.data(), jobs_.data() + jobs_.size(), options.jobs);
      if (error != std::errc() || *end != '\0' || options.jobs < 1)
        return Error{fmt::format("--jobs \"{}\" is not a number from 1", jobs_)};
    }
    options.rules = rules_;
    options.results = results_;
    options.sandbox = sandbox_;
    options.sanitize = sanitize_;
    options.render = !no_report_;
    if (!fail_on_.empty()) options.fail_on = FailOn::claims;
    for (const std::string& word : split(wrap_, ' '))
      if (!word.empty()) options.wrap.push_back(options.wrap.empty() ? find_program(word) : word);
    if (!options.wrap.empty() && options.wrap[0].empty())
      return Error{fmt::format("--wrap: cannot find the program of \"{}\"", wrap_)};
    if (!options.wrap.empty() && sandbox_ != "none")
      return Error{
          "--wrap runs a tool of this machine together with the variant: add --sandbox none, for code you trust"};
    TRY_ASSIGN(const ExecutorSettings settings, executor_.settings());
    if (json_ && !executor_.executor.empty())
      return Error{
          "--json shows what happens in this process, and --executor runs it elsewhere: leave out one of the two"};
    const auto progress = make_progress(json_ ? Show::json : quiet_ ? Show::failures : Show::everything);
    std::optional<Config> config;
    if (points_) {
      if (json_) return Error{"--points prints a table for people; leave out --json"};
      TRY_ASSIGN(config, load_graded(options.config, options.rules));
    }
    if (job_per_sweep_ && (executor_.executor.empty() || points_))
      return Error{"--job-per-sweep makes a run of each sweep: it needs --executor, and cannot give --points"};
    if (!executor_.executor.empty()) return run_elsewhere(options, settings, config);
    TRY_ASSIGN(const RunSummary summary, run_lab(options, *progress));
    if (points_) TRY(show_points(*config, summary));
    return summary.exit;
  }

 private:
  Result<ExitCode> run_elsewhere(const RunOptions& options, const ExecutorSettings& settings,
                                 const std::optional<Config>& config) const {
    using Jobs = JobPlan::Jobs;
    const JobPlan plan{options, executor_.executor, settings, show_jobs, job_per_sweep_ ? Jobs::per_sweep : Jobs::one};
    if (executor_.dry_run) {
      TRY_ASSIGN(const std::string script, job_script(plan));
      print(script);
      return ExitCode::ok;
    }
    TRY_ASSIGN(const auto summaries, run_as_jobs(plan));
    if (summaries.empty()) {
      print(executor_.goes_on);
      return ExitCode::interrupted;
    }
    if (points_) TRY(show_points(*config, summaries[0]));
    for (const RunSummary& summary : summaries) print(fmt::format("run: {}\n", summary.folder.string()));
    return std::ranges::max(summaries, {}, &RunSummary::exit).exit;
  }

  Done show_points(const Config& config, const RunSummary& summary) const {
    TRY_ASSIGN(const RunRecord run, read_run(summary.folder));
    const AwardedPoints points = award_points(*config.grade, {&run, {}, {}});
    print(points_lines(points));
    return ok();
  }

  SelectionOptions selection_;
  std::string budget_, longest_call_, rules_, results_, sandbox_, wrap_, jobs_, sanitize_, fail_on_;
  bool fresh_ = false, json_ = false, quiet_ = false, no_report_ = false, points_ = false, job_per_sweep_ = false;
  ExecutorOptions executor_;
};

Run run_command;
const Register<Command> register_run(&run_command);

}  // namespace
}  // namespace harness
