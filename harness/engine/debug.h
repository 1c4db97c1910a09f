// One case in one worker under a tool at this terminal: a debugger, a profiler.
#pragma once

#include "harness/engine/options.h"

namespace harness {

enum class ShowCells { no, yes };

/// Runs the first selected case on integers, without the sandbox. Returns what the check says; with ShowCells::yes also
/// the wrong region of the output beside what was wanted. `options` has `debugs`, and the tool in `wrap`.
Result<std::string> debug_case(const RunOptions& options, ShowCells show_cells);

}  // namespace harness
