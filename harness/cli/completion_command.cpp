// harness completion: what a shell completes after "harness".
#include "harness/cli/command_text.h"
#include "harness/cli/console.h"

namespace harness {
namespace {

class Completion final : public Command {
 public:
  std::string name() const override { return "completion"; }
  std::string help() const override { return "print a shell's completions; for example: source <(harness completion bash)"; }
  int order() const override { return 90; }

  std::vector<Option> options() override { return {{"shell", &shell_, "", "", {"bash", "zsh", "fish"}}}; }

  Result<ExitCode> run() override {
    print(completion(commands(), shell_ == "bash" ? Shell::bash : shell_ == "zsh" ? Shell::zsh : Shell::fish));
    return ExitCode::ok;
  }

 private:
  std::string shell_;
};

Completion completion_command;
const Register<Command> register_completion(&completion_command);

}  // namespace
}  // namespace harness
