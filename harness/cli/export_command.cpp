// harness export: one table of a report, for a spreadsheet, a paper or a program.
#include <CLI/CLI.hpp>

#include "harness/cli/command.h"
#include "harness/cli/console.h"
#include "harness/cli/find_run.h"
#include "harness/engine/run.h"

namespace harness {
namespace {

class Export final : public Command {
 public:
  std::string name() const override { return "export"; }
  std::string help() const override {
    return "print one table of a run's report as CSV, Markdown, LaTeX or JSON";
  }
  int order() const override { return 6; }
  void options(CLI::App& app) override {
    app.add_option("run", run_, run_words)->required();
    auto* table = app.add_option("--table", table_, "its short name or its title")->type_name("NAME");
    app.add_flag("--list", list_, "print the names")->excludes(table);
    app.add_option("--format", format_, "csv, md, latex or json (default: csv)")
        ->check(CLI::IsMember({"csv", "md", "latex", "json"}));
    app.add_option("--shape", shape_,
                   "tidy: a row a case; table: as in the report (default: tidy for csv and json)")
        ->check(CLI::IsMember({"tidy", "table"}));
    app.add_option("-o,--output", output_, "a file (default: standard output)")->type_name("FILE");
    app.add_option("--results", results_, "folder of the store (default: results/)")->type_name("DIR");
  }

  Result<ExitCode> run() override {
    if (table_.empty() && !list_)
      return Error{"which table? name one with --table NAME; --list prints the names"};
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

Export command;
const Register<Command> registered(&command);

}  // namespace
}  // namespace harness
