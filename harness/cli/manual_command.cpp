// harness manual: the manual page, generated from the options of all commands.
#include "harness/base/version.h"
#include "harness/cli/command_text.h"
#include "harness/cli/console.h"

namespace harness {
namespace {

class Manual final : public Command {
 public:
  std::string name() const override { return "manual"; }
  std::string help() const override { return "print the manual page; to read it: harness manual | man -l -"; }
  int order() const override { return 91; }

  Result<ExitCode> run() override {
    print(manual_page(commands(), version().version));
    return ExitCode::ok;
  }
};

Manual manual_command;
const Register<Command> register_manual(&manual_command);

}  // namespace
}  // namespace harness
