// harness tune: searches the values of a variant's parameters that are fastest on this machine.
#include <fmt/format.h>

#include "harness/base/language.h"
#include "harness/base/text.h"
#include "harness/cli/command.h"
#include "harness/cli/console.h"
#include "harness/cli/progress.h"
#include "harness/cli/selection.h"
#include "harness/config/scalars.h"
#include "harness/engine/cases.h"
#include "harness/plan/tuned.h"
#include "harness/store/read_run.h"
#include "harness/tune/tune.h"

namespace harness {
namespace {

constexpr size_t shown_sets = 5;

std::string name_of(const Axes& values) { return values.empty() ? tr("as now") : to_string(values); }

std::string ranking_lines(const Ranking& ranking, const std::string& device) {
  std::string text = tr("\n{} on {}: sets timed: {}, left out: {}\n", to_string(ranking.dtype), device,
                        ranking.sets.size(), ranking.left_out.size());
  for (size_t i = 0; i < ranking.sets.size(); ++i) {
    const RankedSet& set = ranking.sets[i];
    if (i >= shown_sets && !set.values.empty()) continue;
    text += fmt::format("  {:>6.2f}  {}  {} ({} .. {})\n", set.ms / ranking.sets.front().ms, name_of(set.values),
                        human_time(set.ms * 1e-3), human_time(set.low * 1e-3), human_time(set.high * 1e-3));
  }
  for (size_t i = 0; i < std::min(shown_sets, ranking.left_out.size()); ++i)
    text += fmt::format("     out  {}  {}\n", name_of(ranking.left_out[i].first), told(ranking.left_out[i].second));
  return text;
}

class TuneCommand final : public Command {
 public:
  std::string name() const override { return "tune"; }
  std::string help() const override {
    return "find the fastest values of a variant's parameters (LAB_TUNE) on this machine";
  }
  int order() const override { return 17; }

  std::vector<Option> options() override {
    std::vector<Option> all = selection_.options();
    for (const Option& own : std::vector<Option>{
             {"--most", &most_, "try at most so many sets of values, chosen at random", "N"},
             {"--dry-run", &dry_run_, "only say how many builds and cases it is"},
             {"--budget", &budget_, "shorten the sampling so that the search takes about this long, for example 5m",
              "TIME"},
             {"--fresh", &fresh_, "measure again what the store already knows"},
             {"--results", &results_, "folder of the store and the reports (default: results/)", "DIR"},
             {"--sandbox", &sandbox_, "where untrusted code runs; see harness list", "NAME"},
             {"--no-report", &no_report_, "do not render the report; harness report does it later, here or elsewhere"}})
      all.push_back(own);
    return all;
  }

  Result<ExitCode> run() override {
    TRY_ASSIGN(RunOptions options, selection_.run_options());
    if (!budget_.empty()) {
      options.budget_s = parse_duration(budget_);
      if (!options.budget_s)
        return Error{fmt::format("--budget \"{}\" is not a time; write for example 60s or 5m", budget_)};
    }
    std::optional<size_t> most;
    if (!most_.empty()) {
      const auto number = parse_integer(most_);
      if (!number || *number < 1) return Error{fmt::format("--most \"{}\" is not a number from 1", most_)};
      most = static_cast<size_t>(*number);
    }
    if (selection_.variants.empty()) return Error{"a search is for one variant; choose it with --variant"};
    options.known = fresh_ ? Known::measure_again : Known::reuse;
    options.results = results_;
    options.sandbox = sandbox_;
    options.render = !no_report_;
    TRY_ASSIGN(const Search search, plan_search(options, most));
    TRY(say_what_it_takes(search));
    if (dry_run_) return ExitCode::ok;
    const auto progress = make_progress(Show::everything);
    TRY_ASSIGN(const RunSummary summary, run_lab(search.options, *progress));
    if (summary.exit == ExitCode::interrupted) return summary.exit;
    TRY_ASSIGN(const RunRecord run, read_run(summary.folder));
    const std::vector<Ranking> rankings = rank_sets(run, search.variant);
    TRY(keep_fastest(search, run.run.id, rankings));
    bool timed = false;
    for (const Ranking& ranking : rankings) {
      timed = timed || !ranking.sets.empty();
      print(ranking_lines(ranking, search.device));
      print(ranking.found() ? tr("{}: {}\n", tuned_file(search.variant).string(), name_of(ranking.sets.front().values))
                            : tr("no set is clearly faster than the values of now: nothing is changed\n"));
    }
    return timed ? ExitCode::ok : ExitCode::variant_failed;
  }

 private:
  static Done say_what_it_takes(const Search& search) {
    TRY_ASSIGN(Lab loaded, load_lab(search.options));
    TRY_ASSIGN(const PlacedLab lab, place_lab(std::move(loaded), Purpose::plan));
    TRY_ASSIGN(const Cases cases, select_cases(lab));
    print(tr("sets of values: {}, problems: {}, builds: {}, cases: {}; at most {} of sampling\n", search.sets,
             search.points, cases.builds.size(), cases.all.size(),
             human_time(static_cast<double>(cases.all.size()) * lab.config.measure.max_time_s)));
    return ok();
  }

  SelectionOptions selection_;
  std::string most_, budget_, results_, sandbox_;
  bool dry_run_ = false, fresh_ = false, no_report_ = false;
};

TuneCommand tune_command;
const Register<Command> register_tune(&tune_command);

}  // namespace
}  // namespace harness
