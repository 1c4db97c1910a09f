// What `harness run` was asked to do.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/base/files.h"
#include "harness/engine/device_options.h"
#include "harness/plan/plan.h"

namespace harness {

enum class Known { reuse, measure_again };

struct RunOptions {
  std::string config;
  fs::path results;                    // empty: <root>/results
  std::optional<fs::path> submission;  // folder or file with a student's variants
  Selection selection;
  std::optional<double> budget_s;
  Known known = Known::reuse;
  int jobs = 0;                   // compilers side by side, 0: one a core
  std::string sandbox;            // empty: the config's, or bwrap
  std::vector<std::string> wrap;  // a tool that starts the workers: compute-sanitizer, ncu, valgrind
  std::string gpu_architecture;   // empty: that of the GPU found
  DeviceOptions device;
  bool render = true;                // false: run.json only; `harness report` renders it, here or elsewhere
  std::vector<std::string> command;  // as typed, for the record
};

}  // namespace harness
