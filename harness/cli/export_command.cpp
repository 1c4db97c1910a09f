// harness export: one table of a report, for a spreadsheet, a paper or a program.
#include "harness/cli/command.h"
#include "harness/cli/console.h"
#include "harness/cli/find_run.h"
#include "harness/python/reports.h"

namespace harness {
namespace {

class Export final : public Command {
 public:
  std::string name() const override { return "export"; }
  std::string help() const override { return "print one table of a run's report as CSV, Markdown, LaTeX or JSON"; }
  int order() const override { return 6; }
  std::vector<Option> options() override {
    return {{"run", &run_, run_words},
            {"--table", &table_, "its short name or its title", "NAME"},
            {"--list", &list_, "print the names"},
            {"--format", &format_, "csv, md, latex or json (default: csv)", "", {"csv", "md", "latex", "json"}},
            {"--shape",
             &shape_,
             "tidy: a row a case; table: as in the report (default: tidy for csv and json)",
             "",
             {"tidy", "table"}},
            {"-o,--output", &output_, "a file (default: standard output)", "FILE"},
            {"--results", &results_, "folder of the store (default: results/)", "DIR"}};
  }

  Result<ExitCode> run() override {
    if (list_ && !table_.empty()) return Error{"--list excludes --table; see harness --help"};
    if (table_.empty() && !list_) return Error{"which table? name one with --table NAME; --list prints the names"};
    TRY_ASSIGN(const fs::path root, project_root());
    TRY_ASSIGN(const fs::path folder, find_run(root, run_, results_));
    std::vector<std::string> options = {"--format=" + format_};
    options.push_back(list_ ? "--list" : "--table=" + table_);
    if (!shape_.empty()) options.push_back("--shape=" + shape_);
    if (!output_.empty()) options.push_back("--output=" + fs::absolute(output_).string());
    TRY_ASSIGN(const std::string text, export_table(root, folder, options));
    print(text);
    return ExitCode::ok;
  }

 private:
  std::string run_, table_, format_ = "csv", shape_, output_, results_;
  bool list_ = false;
};

Export export_command;
const Register<Command> register_export(&export_command);

}  // namespace
}  // namespace harness
