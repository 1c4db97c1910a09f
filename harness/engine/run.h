// One run of a lab, from its YAML file to its report.
#pragma once

#include <map>
#include <string_view>

#include "harness/engine/context.h"

namespace harness {

struct RunSummary {
  std::string run_id;
  fs::path folder;  // results/<lab>/<run-id>
  int passed = 0, failed = 0, skipped = 0, cancelled = 0, reused = 0;
  std::map<std::string_view, int> unranked;  // right, but not PASSED: by the status that says why
  ExitCode exit = ExitCode::ok;
};

Result<RunSummary> run_lab(const RunOptions& options, EventSink& events);

/// Config, kind, variants, plan, machine, sandbox: everything before the first side effect. Also what
/// `harness plan` shows.
Done set_up(Context& context);
/// Where untrusted code will run, and for a container what its image has; `set_up` does it for containers.
Done choose_sandbox(Context& context);
/// Marks cases that cannot run here as SKIPPED with the reason, and makes a Target for each build of the
/// others.
Done select_cases(Context& context);
/// Compiles all targets, several side by side.
Done build_targets(Context& context);
/// Groups of cases that are compared, cheapest first; each is proved, timed and recorded.
Done run_groups(Context& context);
/// CPU and GPU limits, from the cache or by a short probe, into the store.
Done find_limits(Context& context, Probing probing);

/// A CPU limit that a case beats may have been measured in a slow moment: measures it once more and keeps the higher
/// value, in the store too. Does nothing for a limit that has had its second chances in this run, or a GPU's.
Done measure_again(Context& context, const MachineLimit& beaten);

/// Report from run.json through the Python package. An error does not spoil the run: the store has
/// everything.
Done render_report(const fs::path& root, const fs::path& run_folder);
/// What `python -m reports export` prints with these options: one table of the report.
Result<std::string> export_table(const fs::path& root, const fs::path& run_folder,
                                 const std::vector<std::string>& options);

/// A first call needs a process of its own: it is timed where the report has it.
bool shows_first_call(const Config& config, const Case& planned);

/// Content that decides whether a stored case can stand for this one.
std::string run_key(const Context& context, const CaseState& state);

}  // namespace harness
