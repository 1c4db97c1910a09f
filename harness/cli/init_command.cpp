// harness init: the folder that a student starts from.
#include <fmt/format.h>

#include "harness/base/language.h"
#include "harness/base/text.h"
#include "harness/cli/command.h"
#include "harness/cli/console.h"
#include "harness/grade/starter.h"

namespace harness {
namespace {

class Init final : public Command {
 public:
  std::string name() const override { return "init"; }
  std::string help() const override { return "make the folder that a student starts from"; }
  int order() const override { return 12; }

  std::vector<Option> options() override {
    return {
        {"config", &options_.config, "the lab's YAML file, with rules in its key grade"},
        {"folder", &folder_, "a new or empty folder"},
        {"--action", &options_.action, "where the workflow finds the harness, as OWNER/REPOSITORY@VERSION", "NAME"},
        {"--course", &options_.course, "where the workflow finds the lab's YAML file, as OWNER/REPOSITORY", "NAME"},
        {"--only-compile-commands", &only_commands_,
         "write only compile_commands.json, in a folder that has the sources already"},
    };
  }

  Result<ExitCode> run() override {
    options_.folder = folder_;
    if (only_commands_) {
      TRY(write_compile_commands(options_));
      print(fmt::format("{}\n", (options_.folder / "compile_commands.json").string()));
      return ExitCode::ok;
    }
    for (const auto& [option, value] : {std::pair{"--action", options_.action}, {"--course", options_.course}})
      if (value.find('/') == std::string::npos || value.find_first_of(" \"\\\n{}") != std::string::npos)
        return Error{fmt::format("{} \"{}\" is not the name of a repository; write for example OWNER/REPOSITORY",
                                 option, value)};
    TRY_ASSIGN(const Starter starter, make_starter(options_));
    print(fmt::format("{}: {}\n", folder_, join(starter.files, ", ")));
    if (starter.hidden_rules)
      print(tr("{} left out\n", tr_counted(static_cast<int64_t>(starter.hidden_rules), "hidden rule")));
    if (options_.action.starts_with("OWNER/") || options_.course.starts_with("OWNER/"))
      print(tr(
          ".github/workflows/grade.yml: replace OWNER by the account that has your copies, or name them with --action "
          "and --course\n"));
    return ExitCode::ok;
  }

 private:
  StarterOptions options_{"", "", "OWNER/harness@main", "OWNER/course"};
  std::string folder_;
  bool only_commands_ = false;
};

Init init_command;
const Register<Command> register_init(&init_command);

}  // namespace
}  // namespace harness
