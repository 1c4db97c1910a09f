// Makes a run again from its sources, here.
#pragma once

#include "harness/config/config.h"
#include "harness/engine/run.h"
#include "harness/plan/plan.h"
#include "harness/store/run_record.h"

namespace harness {

struct RunAgain {
  fs::path results;     // empty: results/ of the project
  std::string sandbox;  // empty: bwrap, whatever the config of the run says
  std::optional<double> budget_s;
  std::vector<std::string> command;  // as typed, for the record
};

struct MadeAgain {
  RunSummary run;
  Config config;
  size_t planned = 0;          // cases of the config that can run here
  std::vector<Case> left_out;  // those that the original did not run
  std::vector<std::string> other_files;  // sources of the lab that differ from those of this project
};

/// Builds the sources of the run with this harness's own interface to variants, and checks and times its cases again.
/// The new run is in the store as any other.
Result<MadeAgain> run_again(const RunRecord& original, const fs::path& run_folder, const RunAgain& how,
                            EventSink& events);

}  // namespace harness
