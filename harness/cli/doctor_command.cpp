// harness doctor: what this machine has, what each missing part costs, how to get it.
#include <fmt/format.h>

#include "harness/cli/command.h"
#include "harness/cli/console.h"
#include "harness/machine/doctor.h"
#include "harness/sandbox/sandbox.h"

namespace harness {
namespace {

// With our own image: what a run would do.
std::map<std::string, ContainerTrial> try_containers() {
  std::map<std::string, ContainerTrial> trials;
  for (const Sandbox* sandbox : registry<Sandbox>()) {
    if (!sandbox->takes_image() || !sandbox->available()) continue;
    const auto works = sandbox->with({});
    ContainerTrial& trial = trials[sandbox->name()];
    if (works)
      trial.works = fmt::format("{}, memory and processes limited by {}", (*works)->container()->runtime,
                                (*works)->container()->limits);
    else
      trial.error = works.error().message;
  }
  return trials;
}

class Doctor final : public Command {
 public:
  std::string name() const override { return "doctor"; }
  std::string help() const override { return "what this machine has, what is missing and how to get it"; }
  int order() const override { return 4; }
  Result<ExitCode> run() override {
    const Machine machine = inspect_machine();
    Trials trials = try_out(machine);
    trials.containers = try_containers();
    print(render_doctor(diagnose(machine, trials)));
    return ExitCode::ok;
  }
};

Doctor doctor_command;
const Register<Command> register_doctor(&doctor_command);

}  // namespace
}  // namespace harness
