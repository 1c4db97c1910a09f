// harness compare: two runs, or two series of runs, side by side.
#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>

#include "harness/base/text.h"
#include "harness/cli/command.h"
#include "harness/cli/compare_lines.h"
#include "harness/cli/console.h"
#include "harness/cli/find_run.h"
#include "harness/store/read_run.h"

namespace harness {
namespace {

class CompareCommand final : public Command {
 public:
  std::string name() const override { return "compare"; }
  std::string help() const override { return "compare two runs: which cases became faster or slower, what else differs"; }
  int order() const override { return 22; }
  std::vector<Option> options() override {
    return {{"a", &a_, std::string(run_words) + "; " + "or several runs of a lab: ID,ID,..."},
            {"b", &b_, "the run or runs to compare with it, in the same words"},
            {"--min-effect", &min_effect_, "a smaller change counts as none (default: 3%)", "PERCENT"},
            {"--format", &format_, "text, md or json (default: text)", "", {"text", "md", "json"}},
            {"--fail-on", &fail_on_, "exit code 1 if a case is slower, or passed before and fails now", "", {"slower"}},
            {"--results", &results_, "folder of the store (default: results/)", "DIR"}};
  }

  Result<ExitCode> run() override {
    CompareRule rule;
    if (!min_effect_.empty()) {
      TRY_ASSIGN(rule.minimum_effect, parse_percent(min_effect_));
    }
    TRY_ASSIGN(const fs::path root, project_root());
    TRY_ASSIGN(const std::vector<RunRecord> a, read(root, a_));
    TRY_ASSIGN(const std::vector<RunRecord> b, read(root, b_));
    const RunComparison result = compare_runs(a, b, rule);
    if (result.cells.empty() && result.count_broken() == 0)
      return Error{fmt::format("run {} of {} and run {} of {} have no timed case in common", a.front().run.id,
                               a.front().run.lab, b.front().run.id, b.front().run.lab),
                   ExitCode::nothing_selected};
    if (format_ == "json")
      print(as_json(result, a, b).dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
    else
      print(format_ == "md" ? as_markdown(result, a, b) : as_text(result, a, b));
    const bool worse = result.count(Change::SLOWER) + result.count_broken() > 0;
    return fail_on_ == "slower" && worse ? ExitCode::variant_failed : ExitCode::ok;
  }

 private:
  static Result<double> parse_percent(const std::string& text) {
    double percent = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), percent);
    const std::string_view rest(end, static_cast<size_t>(text.data() + text.size() - end));
    if (error != std::errc() || (trim(rest) != "%" && !rest.empty()) || !(percent > 0 && percent < 100))
      return Error{fmt::format("--min-effect \"{}\" is not a share; write for example 3%", text)};
    return percent / 100;
  }

  Result<std::vector<RunRecord>> read(const fs::path& root, const std::string& names) const {
    std::vector<RunRecord> runs;
    for (const std::string& name : split(names, ',')) {
      if (name.empty()) return Error{fmt::format("\"{}\" lacks a run before or after a comma", names)};
      TRY_ASSIGN(const fs::path folder, find_run(root, name, results_));
      TRY_ASSIGN(RunRecord run, read_run(folder));
      if (!runs.empty() && run.run.lab != runs.front().run.lab)
        return Error{fmt::format("\"{}\" is a run of {}, and \"{}\" is one of {}: give runs of one lab", printable(name, 80),
                                 printable(run.run.lab, 80), printable(split(names, ',').front(), 80),
                                 printable(runs.front().run.lab, 80))};
      runs.push_back(std::move(run));
    }
    return runs;
  }

  std::string a_, b_, min_effect_, format_ = "text", fail_on_, results_;
};

CompareCommand compare_command;
const Register<Command> register_compare(&compare_command);

}  // namespace
}  // namespace harness
