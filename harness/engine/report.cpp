#include <fmt/format.h>

#include <cstdlib>

#include "harness/base/process.h"
#include "harness/base/text.h"
#include "harness/engine/run.h"

namespace harness {
namespace {

// Of a traceback, the line that says what happened.
std::string last_line(const std::string& text) {
  const std::vector<std::string> lines = split(trim(text), '\n');
  return printable(trim(lines.back()), 1000);
}

}  // namespace

Done render_report(const fs::path& root, const fs::path& run_folder) {
  const fs::path own = root / ".venv/bin/python";
  const std::string python = fs::exists(own) ? own.string() : find_program("python3");
  if (python.empty())
    return Error{"no Python: the report is not rendered; run bin/harness once, it installs one",
                 ExitCode::machine};
  std::error_code error;
  TRY_ASSIGN(
      const ProcessResult result,
      run_process({python, "-m", "reports", "render", fs::absolute(run_folder, error).string()},
                  {.timeout_s = 300, .folder = root.string(), .environment = {"PYTHONDONTWRITEBYTECODE=1"}}));
  if (result.exit == 0) return ok();
  return Error{fmt::format("the report could not be rendered: {}", last_line(result.err)), ExitCode::machine};
}

}  // namespace harness
