// harness schema: the JSON Schema of a lab's YAML file, of run.json or of grades.json, from the tables that read and
// write them.
#include <nlohmann/json.hpp>

#include "harness/cli/command.h"
#include "harness/cli/console.h"
#include "harness/config/config.h"
#include "harness/grade/grades.h"
#include "harness/store/json_text.h"
#include "harness/store/run_record.h"

namespace harness {
namespace {

class Schema final : public Command {
 public:
  std::string name() const override { return "schema"; }
  std::string help() const override {
    return "print the JSON Schema of a lab's YAML file, of run.json or of grades.json";
  }
  int order() const override { return 10; }
  std::vector<Option> options() override {
    return {{"--run", &run_, "the schema of run.json"}, {"--grades", &grades_, "the schema of grades.json"}};
  }
  Result<ExitCode> run() override {
    print((run_ ? to_page(run_schema()) : grades_ ? to_page(grades_schema()) : config_schema().dump(2)) + "\n");
    return ExitCode::ok;
  }

 private:
  bool run_ = false, grades_ = false;
};

Schema schema_command;
const Register<Command> register_schema(&schema_command);

}  // namespace
}  // namespace harness
