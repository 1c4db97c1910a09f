// A subcommand: one file each, registered at its end.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "harness/base/registry.h"
#include "harness/base/result.h"

namespace harness {

/// One option of a command, as data: only main.cpp includes CLI11, which compiles slowly.
struct Option {
  /// "-o,--output"; without dashes: an argument.
  std::string names;
  /// Where its value goes. bool: a flag; vector: may be repeated; optional: may be given without a value, or an argument that
  /// may be missing. Other arguments must be given.
  std::variant<bool*, std::string*, std::optional<std::string>*, std::vector<std::string>*> value;
  std::string help;
  std::string type = "";                 // "DIR", for --help
  std::vector<std::string> one_of = {};  // empty: any value
};

class Command {
 public:
  virtual ~Command() = default;
  virtual std::string name() const = 0;
  virtual std::string help() const = 0;
  virtual int order() const = 0;  // order in --help
  virtual std::vector<Option> options() { return {}; }
  virtual Result<ExitCode> run() = 0;
};

/// Commands hold the values of their options, so the registry's const is lifted once, here.
std::vector<Command*> commands();

/// The words of the command line, for the record of a run.
const std::vector<std::string>& command_line();
void remember_command_line(int argc, char** argv);

}  // namespace harness
