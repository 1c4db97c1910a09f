// One case in one worker under a tool at this terminal: a debugger, a profiler.
#pragma once

#include "harness/engine/options.h"

namespace harness {

enum class ShowCells { no, yes };

struct Debugged {
  enum class Output { right, wrong } output = Output::wrong;
  std::string text;  // what the check says
};

/// Runs the first selected case on integers, without the sandbox. With ShowCells::yes the text also shows
/// the wrong region of the output beside what was wanted. `options` has `debugs`, and the tool in `wrap`.
Result<Debugged> debug_case(const RunOptions& options, ShowCells show_cells);

}  // namespace harness
