// Options that `run` and `plan` share.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/engine/options.h"

namespace CLI {
class App;
}

namespace harness {

struct SelectionOptions {
  std::string config;
  std::vector<std::string> variants, sweeps, set;
  std::string submission;
  std::string gpu_architecture;
  std::string gpu, schedule, lanes, diagnostics;  // words for parse_device_options

  void add_to(CLI::App& app);
  /// An error for `--set size` without a value.
  Result<RunOptions> options() const;
};

}  // namespace harness
