// harness show: where one number comes from.
#include "harness/cli/case_page.h"
#include "harness/cli/command.h"
#include "harness/cli/console.h"
#include "harness/cli/find_run.h"
#include "harness/store/read_run.h"
#include "harness/store/sources.h"

namespace harness {
namespace {

class ShowCase final : public Command {
 public:
  std::string name() const override { return "show"; }
  std::string help() const override { return "show where a number comes from: samples, check, build, source, machine"; }
  int order() const override { return 21; }
  std::vector<Option> options() override {
    return {{"run", &run_, run_words},
            {"case", &case_, "the id of a case, or words that only one id contains: \"cpu_avx size=256\""},
            {"--results", &results_, "folder of the store (default: results/)", "DIR"}};
  }

  Result<ExitCode> run() override {
    TRY_ASSIGN(const fs::path root, project_root());
    TRY_ASSIGN(const fs::path folder, find_run(root, run_, results_));
    TRY_ASSIGN(const RunRecord record, read_run(folder));
    TRY_ASSIGN(const CaseRecord* found, find_named_case(record, case_));
    std::optional<std::string> source;
    for (const BuildRecord& build : record.builds)
      if (build.key == found->build_key && build.variant == found->variant)
        source = find_source(source_of(build, record), folder, root, record.run.harness.commit);
    print(case_page(record, *found, source));
    return ExitCode::ok;
  }

 private:
  std::string run_, case_, results_;
};

ShowCase show_command;
const Register<Command> register_show(&show_command);

}  // namespace
}  // namespace harness
