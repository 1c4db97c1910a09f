// harness package: the harness and a lab in one archive, as a grading service takes it.
#include <fmt/format.h>

#include "harness/base/text.h"
#include "harness/cli/command.h"
#include "harness/cli/console.h"
#include "harness/grade/package.h"
#include "harness/sandbox/sandbox.h"

namespace harness {
namespace {

class PackageCommand final : public Command {
 public:
  std::string name() const override { return "package"; }
  std::string help() const override {
    return "make the archive that a grading service takes: the harness, a lab and its rules";
  }
  int order() const override { return 15; }

  std::vector<Option> options() override {
    return {{"config", &options_.config, "the lab's YAML file, with rules in its key grade"},
            {"--for", &options_.service, "the service", "", package_services()},
            {"-o,--output", &output_, "the archive, NAME.zip", "FILE"},
            {"--sandbox", &options_.sandbox, "where untrusted code runs there; see harness list", "NAME"}};
  }

  Result<ExitCode> run() override {
    if (!output_.ends_with(".zip"))
      return Error{output_.empty() ? "which file? name one with -o NAME.zip"
                                   : fmt::format("--output \"{}\": a package is named NAME.zip", output_)};
    if (options_.service.empty())
      return Error{fmt::format("for which service? name one with --for: {}", join(package_services(), ", "))};
    if (const auto found = find_sandbox(options_.sandbox); !found) return found.error();
    options_.output = output_;
    TRY_ASSIGN(const Package package, make_package(options_));
    print(fmt::format("{}: for {}\n", output_, options_.service));
    if (package.hidden_rules)
      print(fmt::format("{} left out: students can read this package\n",
                        counted(static_cast<int64_t>(package.hidden_rules), "hidden rule")));
    if (options_.sandbox == "none")
      print("without a sandbox student code can read the rules and change its points; look at what it does\n");
    return ExitCode::ok;
  }

 private:
  PackageOptions options_;
  std::string output_;
};

PackageCommand package_command;
const Register<Command> register_package(&package_command);

}  // namespace
}  // namespace harness
