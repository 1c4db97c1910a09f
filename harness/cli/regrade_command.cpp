// harness regrade: the rules have changed, the runs have not.
#include <fmt/format.h>

#include "harness/cli/command.h"
#include "harness/cli/console.h"
#include "harness/cli/progress.h"
#include "harness/grade/grade_class.h"

namespace harness {
namespace {

class Regrade final : public Command {
 public:
  std::string name() const override { return "regrade"; }
  std::string help() const override { return "compute the points of a class again, without running anything"; }
  int order() const override { return 14; }

  std::vector<Option> options() override {
    return {
        {"config", &config_, "the lab's YAML file, with changed rules"},
        {"--rules", &rules_, "a YAML file with rules that replace the key grade of the config", "FILE"},
        {"--marks", &marks_, "CSV with the column id and one for each rule that a person decides; - takes a mark back",
         "FILE"},
        {"--results", &results_, "folder of the store and the grades (default: results/)", "DIR"},
    };
  }

  Result<ExitCode> run() override {
    ClassOptions options;
    options.run.config = config_;
    options.run.rules = rules_;
    options.run.results = results_;
    options.marks = marks_;
    TRY_ASSIGN(const Regraded regraded, regrade(options));
    size_t same = 0;
    for (size_t i = 0; i < regraded.after.students.size(); ++i) {
      const StudentGrade &old = regraded.before.students[i], &now = regraded.after.students[i];
      same += old.earned == now.earned;
      if (old.earned == now.earned) continue;
      print(below(fmt::format("{:<10} {:+.4g}: {:.4g} of {:.4g}, was {:.4g} of {:.4g}", now.id, now.earned - old.earned,
                              now.earned, now.of, old.earned, old.of),
                  "") +
            "\n");
    }
    for (const std::string& remark : regraded.after.remarks) print(below(remark, "") + "\n");
    TRY(render_grades(regraded.folder));
    print(fmt::format("{} changed, {} the same\ngrades: {}/grades.{{json,csv}}\n",
                      regraded.after.students.size() - same, same, regraded.folder.string()));
    return ExitCode::ok;
  }

 private:
  std::string config_, rules_, marks_, results_;
};

Regrade regrade_command;
const Register<Command> register_regrade(&regrade_command);

}  // namespace
}  // namespace harness
