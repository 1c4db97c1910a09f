// A subcommand: one file each, registered at its end.
#pragma once

#include <string>

#include "harness/base/registry.h"
#include "harness/base/result.h"

namespace CLI {
class App;
}

namespace harness {

class Command {
 public:
  virtual ~Command() = default;
  virtual std::string name() const = 0;
  virtual std::string help() const = 0;
  virtual int order() const = 0;  // order in --help
  virtual void options(CLI::App& app) = 0;
  virtual Result<ExitCode> run() = 0;
};

/// Commands hold the values of their options, so the registry's const is lifted once, here.
std::vector<Command*> commands();

/// The words of the command line, for the record of a run.
const std::vector<std::string>& command_line();
void remember_command_line(int argc, char** argv);

}  // namespace harness
