// Makes a run again from its sources, here.
#pragma once

#include "harness/engine/run.h"
#include "harness/store/run_record.h"

namespace harness {

struct RunAgain {
  fs::path results;     // empty: results/ of the project
  std::string sandbox;  // empty: bwrap, whatever the config of the run says
  std::optional<double> budget_s;
  std::vector<std::string> command;  // as typed, for the record
};

/// Builds the sources of the run with this harness's own interface to variants, and checks and times its cases again.
/// The new run is in the store as any other.
Result<RunSummary> run_again(const RunRecord& original, const fs::path& run_folder, const RunAgain& how,
                             EventSink& events);

}  // namespace harness
