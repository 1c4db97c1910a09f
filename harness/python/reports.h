// The Python package reports/, which renders reports and makes archives.
#pragma once

#include <string>
#include <vector>

#include "harness/base/files.h"
#include "harness/base/process.h"
#include "harness/base/result.h"

namespace harness {

/// `python -m WORDS`, with the Python of the project if there is one.
Result<ProcessResult> run_python(const fs::path& root, const std::vector<std::string>& words);

/// Why it ended: too late, by a signal, or the last line that it printed to standard error.
Error python_error(const ProcessResult& result);

/// Renders the report of a run.json. The run is kept if this fails.
Done render_report(const fs::path& root, const fs::path& run_folder);
/// What `python -m reports export` prints with these options: one table of the report.
Result<std::string> export_table(const fs::path& root, const fs::path& run_folder,
                                 const std::vector<std::string>& options);

}  // namespace harness
