// Options that `run` and `plan` share.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/cli/command.h"
#include "harness/engine/options.h"

namespace harness {

struct SelectionOptions {
  std::string config;
  std::vector<std::string> variants, sweeps, set;
  std::string submission;
  std::string gpu_architecture;
  std::string gpu, schedule, lanes, diagnostics;  // words for parse_device_options

  std::vector<Option> options();
  /// An error for `--set size` without a value.
  Result<RunOptions> run_options() const;
};

}  // namespace harness
