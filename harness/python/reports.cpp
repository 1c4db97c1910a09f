#include "harness/python/reports.h"

#include <fmt/format.h>

#include <cstdlib>

#include "harness/base/interrupt.h"
#include "harness/base/project.h"
#include "harness/base/text.h"

namespace harness {
namespace {

// The last line of a traceback says what happened.
std::string last_line(const std::string& text) {
  const std::vector<std::string> lines = split(trim(text), '\n');
  return printable(trim(lines.back()), 1000);
}

}  // namespace

Result<ProcessResult> run_python(const fs::path& root, const std::vector<std::string>& words) {
  std::string python = find_program("python3");
  for (const fs::path& own : {root / ".venv", cache_folder(root) / "environment"})
    if (fs::exists(own / "bin/python")) python = own / "bin/python";
  if (python.empty())
    return Error{"no Python: reports and bundles need it; run bin/harness once, it installs one", ExitCode::machine};
  std::vector<std::string> arguments = {python, "-m"};
  arguments.insert(arguments.end(), words.begin(), words.end());
  TRY_ASSIGN(ProcessResult result, run_process(arguments, {.on_interrupt = OnInterrupt::stop,
                                                           .timeout_s = 300,
                                                           .folder = root.string(),
                                                           .environment = {"PYTHONDONTWRITEBYTECODE=1"},
                                                           .output_limit = 64 << 20}));
  if (interrupted()) return Error{"interrupted; the same command starts again", ExitCode::interrupted};
  return result;
}

Error python_error(const ProcessResult& result) {
  const std::string why = result.timed_out ? "it took too long"
                          : result.signal  ? fmt::format("its process was ended by signal {}", result.signal)
                                           : last_line(result.err);
  return Error{why, result.exit == 2 ? ExitCode::usage : ExitCode::machine};
}

Done render_report(const fs::path& root, const fs::path& run_folder) {
  TRY_ASSIGN(const ProcessResult result, run_python(root, {"reports", "render", fs::absolute(run_folder).string()}));
  if (result.exit == 0) return ok();
  return Error{fmt::format("the report could not be rendered: {}; the run is kept, and \"harness report\" tries again",
                           python_error(result).message),
               ExitCode::machine};
}

Result<std::string> export_table(const fs::path& root, const fs::path& run_folder,
                                 const std::vector<std::string>& options) {
  std::vector<std::string> words = {"reports", "export", fs::absolute(run_folder).string()};
  words.insert(words.end(), options.begin(), options.end());
  TRY_ASSIGN(ProcessResult result, run_python(root, words));
  if (result.exit == 0) return std::move(result.out);
  return python_error(result);
}

}  // namespace harness
