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

/// The last line that it printed to standard error.
Error python_error(const ProcessResult& result);

}  // namespace harness
