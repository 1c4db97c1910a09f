// harness doctor: what this machine has, what each missing part costs, how to get it.
#include <CLI/CLI.hpp>

#include "harness/cli/command.h"
#include "harness/cli/console.h"
#include "harness/machine/doctor.h"

namespace harness {
namespace {

class Doctor final : public Command {
 public:
  std::string name() const override { return "doctor"; }
  std::string help() const override { return "what this machine has, what is missing and how to get it"; }
  int order() const override { return 4; }
  void options(CLI::App&) override {}
  Result<ExitCode> run() override {
    print(render_doctor(diagnose(inspect_machine())));
    return ExitCode::ok;
  }
};

Doctor command;
const Register<Command> registered(&command);

}  // namespace
}  // namespace harness
