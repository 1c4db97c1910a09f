// harness bundle: a run as one archive.
#include <fmt/format.h>

#include "harness/base/text.h"
#include "harness/bundle/bundle.h"
#include "harness/cli/command.h"
#include "harness/cli/console.h"
#include "harness/cli/find_run.h"

namespace harness {
namespace {

class BundleCommand final : public Command {
 public:
  std::string name() const override { return "bundle"; }
  std::string help() const override { return "make one archive of a run: samples, sources, versions, report, hashes"; }
  int order() const override { return 23; }
  std::vector<Option> options() override {
    return {{"run", &run_, run_words},
            {"-o,--output", &output_, "the archive, NAME.zip", "FILE"},
            {"--results", &results_, "folder of the store (default: results/)", "DIR"}};
  }

  Result<ExitCode> run() override {
    if (!output_.ends_with(".zip"))
      return Error{output_.empty() ? "which file? name one with -o NAME.zip"
                                   : fmt::format("--output \"{}\": a bundle is named NAME.zip", output_)};
    TRY_ASSIGN(const fs::path root, project_root());
    TRY_ASSIGN(const fs::path folder, find_run(root, run_, results_));
    TRY_ASSIGN(const MadeBundle made, make_bundle(root, folder, output_));
    print(fmt::format("{}: {}, sha256 {}\n", output_, counted(static_cast<int64_t>(made.sources), "source file"), made.hash));
    if (made.withheld > 0)
      print(fmt::format("{} left out: the config does not say that the students agree (submissions: shared)\n",
                        counted(static_cast<int64_t>(made.withheld), "submitted file")));
    return ExitCode::ok;
  }

 private:
  std::string run_, output_, results_;
};

BundleCommand bundle_command;
const Register<Command> register_bundle(&bundle_command);

}  // namespace
}  // namespace harness
