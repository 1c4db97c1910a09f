// harness reproduce: makes a run again here and says which of its numbers hold.
#include <fmt/format.h>

#include "harness/base/text.h"
#include "harness/bundle/reproduce.h"
#include "harness/claims/answer.h"
#include "harness/cli/command.h"
#include "harness/cli/console.h"
#include "harness/cli/find_run.h"
#include "harness/cli/progress.h"
#include "harness/cli/reproduce_lines.h"
#include "harness/compare/compare_runs.h"
#include "harness/store/read_run.h"

namespace harness {
namespace {

class ReproduceCommand final : public Command {
 public:
  std::string name() const override { return "reproduce"; }
  std::string help() const override {
    return "build and measure the cases of a run or a bundle again, and say what holds";
  }
  int order() const override { return 24; }
  std::vector<Option> options() override {
    return {{"run", &run_, run_words},
            {"--budget", &budget_, "fit the sampling to this wall-clock time, for example 60s or 5m", "TIME"},
            {"--sandbox", &sandbox_, "where untrusted code runs (default: bwrap); see harness list", "NAME"},
            {"--results", &results_, "folder of the store (default: results/)", "DIR"}};
  }

  Result<ExitCode> run() override {
    RunAgain how;
    if (!budget_.empty()) {
      how.budget_s = parse_duration(budget_);
      if (!how.budget_s)
        return Error{fmt::format("--budget \"{}\" is not a time; write for example 60s or 5m", budget_)};
    }
    how.results = results_;
    how.sandbox = sandbox_;
    how.command = command_line();
    TRY_ASSIGN(const fs::path root, project_root());
    TRY_ASSIGN(const fs::path folder, find_run(root, run_, results_));
    TRY_ASSIGN(RunRecord original, read_run(folder));
    const auto progress = make_progress(Show::failures);
    TRY_ASSIGN(const MadeAgain made, run_again(original, folder, how, *progress));
    const RunSummary& summary = made.run;
    if (summary.exit == ExitCode::interrupted) return summary.exit;
    TRY_ASSIGN(RunRecord again, read_run(summary.folder));
    std::vector<const CaseRecord*> measured;
    for (const CaseRecord& record : again.cases) measured.push_back(&record);
    doubt(again.claims, made.config.claims, measured, made.left_out);
    Reproduction result = reproduce_cells(original, again);
    answer_again(made.config, again.published, original, result.remarks);
    for (const std::string& file : made.other_files)
      result.remarks.push_back(fmt::format("{} differs from the file of this project", printable(file, 200)));
    result.planned = made.planned;
    for (const Case& c : made.left_out) result.left_out.push_back(cell_name(c.id));
    TRY(write_file(summary.folder / "reproduced.md", as_markdown(result, original, again)));
    print("\n" + as_text(result, original, again) + fmt::format("page: {}/reproduced.md\n", summary.folder.string()));
    if (result.count(Outcome::DIFFERENT) > 0) return ExitCode::variant_failed;
    const bool any = result.count(Outcome::REPRODUCED) + result.count(Outcome::ORDER_HOLDS) > 0;
    return any ? ExitCode::ok : ExitCode::nothing_selected;
  }

 private:
  /// What the original says of the claims of its config must follow from its cases.
  static void answer_again(const Config& config, const std::vector<PublishedFile>& published, RunRecord& original,
                           std::vector<std::string>& remarks) {
    std::vector<const CaseRecord*> cases;
    for (const CaseRecord& record : original.cases) cases.push_back(&record);
    std::vector<ClaimRecord> answers = answer_claims(config, cases, published);
    for (const ClaimRecord& said : original.claims) {
      const auto follows = std::ranges::find(answers, said.text, &ClaimRecord::text);
      if (follows == answers.end())
        remarks.push_back(fmt::format("the original answers \"{}\", which its config does not ask", printable(said.text, 200)));
      else if (follows->measured.answer != said.measured.answer)
        remarks.push_back(fmt::format("the original says {} to \"{}\", and its numbers say {}", to_string(said.measured.answer),
                                      printable(said.text, 200), to_string(follows->measured.answer)));
    }
    original.claims = std::move(answers);
  }

  std::string run_, budget_, sandbox_, results_;
};

ReproduceCommand reproduce_command;
const Register<Command> register_reproduce(&reproduce_command);

}  // namespace
}  // namespace harness
