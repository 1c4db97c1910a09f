// One run of a lab, from its YAML file to its report.
#pragma once

#include "harness/engine/events.h"
#include "harness/engine/options.h"

namespace harness {

struct RunSummary {
  std::string run_id;
  fs::path folder;  // results/<lab>/<run-id>
  Counts counts;
  ExitCode exit = ExitCode::ok;
};

Result<RunSummary> run_lab(const RunOptions& options, EventSink& events);

}  // namespace harness
