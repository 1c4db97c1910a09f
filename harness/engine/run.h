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

/// Renders the report of a run.json with the Python package. The run is kept if this fails.
Done render_report(const fs::path& root, const fs::path& run_folder);
/// What `python -m reports export` prints with these options: one table of the report.
Result<std::string> export_table(const fs::path& root, const fs::path& run_folder,
                                 const std::vector<std::string>& options);

}  // namespace harness
