// harness schema: the JSON Schema of a lab's YAML file, from the table the parser uses.
#include "harness/cli/command.h"
#include "harness/cli/console.h"
#include "harness/config/config.h"

namespace harness {
namespace {

class Schema final : public Command {
 public:
  std::string name() const override { return "schema"; }
  std::string help() const override { return "print the JSON Schema of a lab's YAML file, for editors"; }
  int order() const override { return 9; }
  Result<ExitCode> run() override {
    print(config_schema().dump(2) + "\n");
    return ExitCode::ok;
  }
};

Schema command;
const Register<Command> registered(&command);

}  // namespace
}  // namespace harness
