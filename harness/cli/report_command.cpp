// harness report: renders a run again, from the store alone.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "harness/cli/command.h"
#include "harness/cli/console.h"
#include "harness/engine/run.h"

namespace harness {
namespace {

class Report final : public Command {
 public:
  std::string name() const override { return "report"; }
  std::string help() const override {
    return "render the report of a run again, from the store or from its folder";
  }
  int order() const override { return 5; }
  void options(CLI::App& app) override {
    app.add_option("run", run_,
                   "a run's id or its beginning, a lab's name, \"latest\", or a folder with run.json")
        ->required();
    app.add_option("--results", results_, "folder of the store (default: results/)")->type_name("DIR");
  }

  Result<ExitCode> run() override {
    TRY_ASSIGN(const fs::path root, project_root());
    // A folder that came from elsewhere needs no store.
    if (fs::exists(fs::path(run_) / "run.json")) return render(root, run_);
    const fs::path results = results_.empty() ? root / "results" : fs::path(results_);
    if (!fs::exists(results / "harness.sqlite"))
      return Error{fmt::format("{}: no store here; run a lab first, or name another folder with --results", results.string())};
    TRY_ASSIGN(Store store, Store::open(results));
    TRY_ASSIGN(const std::string id, store.resolve_run(run_));
    TRY(store.write_run_folder(results, id));
    TRY_ASSIGN(const nlohmann::json json, store.run_json(id));
    return render(root, results / json["run"]["lab"].get<std::string>() / id);
  }

 private:
  static Result<ExitCode> render(const fs::path& root, const fs::path& folder) {
    TRY(render_report(root, folder));
    print(fmt::format("{}/report.{{md,html,pdf}}\n", folder.string()));
    return ExitCode::ok;
  }

  std::string run_, results_;
};

Report command;
const Register<Command> registered(&command);

}  // namespace
}  // namespace harness
