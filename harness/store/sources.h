// The texts of what a run was made of: results/sources/<hash>. Equal files are kept once for all runs.
#pragma once

#include <optional>
#include <string>

#include "harness/base/files.h"
#include "harness/base/result.h"
#include "harness/store/run_record.h"

namespace harness {

/// Keeps a text and returns its hash.
Result<std::string> keep_source(const fs::path& results, const std::string& text);

/// Looks for the text in `run_folder`/sources/<path> (a bundle), in the store that the folder belongs to, in the project
/// at `root`, and in the project's commit that made the run. Nothing if none of them has a text with this hash.
std::optional<std::string> find_source(const SourceFile& source, const fs::path& run_folder, const fs::path& root,
                                       const std::string& commit);

/// The source of a build. A run that kept none still knows the file and its hash.
SourceFile source_of(const BuildRecord& build, const RunRecord& run);

}  // namespace harness
