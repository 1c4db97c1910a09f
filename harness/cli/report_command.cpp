// harness report: renders a run again, from the store alone.
#include <fmt/format.h>

#include "harness/cli/command.h"
#include "harness/cli/console.h"
#include "harness/cli/find_run.h"
#include "harness/python/reports.h"

namespace harness {
namespace {

class Report final : public Command {
 public:
  std::string name() const override { return "report"; }
  std::string help() const override { return "render the report of a run again, from the store or from its folder"; }
  int order() const override { return 5; }
  std::vector<Option> options() override {
    return {{"run", &run_, run_words}, {"--results", &results_, "folder of the store (default: results/)", "DIR"}};
  }

  Result<ExitCode> run() override {
    TRY_ASSIGN(const fs::path root, project_root());
    TRY_ASSIGN(const fs::path folder, find_run(root, run_, results_));
    TRY(render_report(root, folder));
    print(fmt::format("{}/report.{{md,html,pdf}}\n", folder.string()));
    return ExitCode::ok;
  }

 private:
  std::string run_, results_;
};

Report report_command;
const Register<Command> register_report(&report_command);

}  // namespace
}  // namespace harness
