#include <fmt/format.h>

#include <cstdlib>

#include "harness/base/interrupt.h"
#include "harness/base/process.h"
#include "harness/base/text.h"
#include "harness/engine/run.h"

namespace harness {
namespace {

// The last line of a traceback says what happened.
std::string last_line(const std::string& text) {
  const std::vector<std::string> lines = split(trim(text), '\n');
  return printable(trim(lines.back()), 1000);
}

/// `python -m reports COMMAND FOLDER ...`, with the Python of the project if it exists.
Result<ProcessResult> run_reports(const fs::path& root, const std::string& command, const fs::path& run_folder,
                                  const std::vector<std::string>& more) {
  const fs::path own = root / ".venv/bin/python";
  const std::string python = fs::exists(own) ? own.string() : find_program("python3");
  if (python.empty())
    return Error{"no Python: the report is not rendered; run bin/harness once, it installs one", ExitCode::machine};
  std::error_code error;
  std::vector<std::string> arguments = {python, "-m", "reports", command, fs::absolute(run_folder, error).string()};
  arguments.insert(arguments.end(), more.begin(), more.end());
  TRY_ASSIGN(ProcessResult result, run_process(arguments, {.on_interrupt = OnInterrupt::stop,
                                                           .timeout_s = 300,
                                                           .folder = root.string(),
                                                           .environment = {"PYTHONDONTWRITEBYTECODE=1"},
                                                           .output_limit = 64 << 20}));
  if (interrupted()) return Error{"interrupted; \"harness report\" renders the report", ExitCode::interrupted};
  return result;
}

}  // namespace

Done render_report(const fs::path& root, const fs::path& run_folder) {
  TRY_ASSIGN(const ProcessResult result, run_reports(root, "render", run_folder, {}));
  if (result.exit == 0) return ok();
  const std::string why = result.timed_out ? "it took too long"
                          : result.signal  ? fmt::format("its process was ended by signal {}", result.signal)
                                           : last_line(result.err);
  return Error{
      fmt::format("the report could not be rendered: {}; the run is kept, and \"harness report\" renders it", why),
      ExitCode::machine};
}

Result<std::string> export_table(const fs::path& root, const fs::path& run_folder,
                                 const std::vector<std::string>& options) {
  TRY_ASSIGN(ProcessResult result, run_reports(root, "export", run_folder, options));
  if (result.exit == 0) return std::move(result.out);
  return Error{last_line(result.err), result.exit == 2 ? ExitCode::usage : ExitCode::machine};
}

}  // namespace harness
