// Bundles: one archive with everything that a reader needs to check a run and to make it again.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/base/files.h"
#include "harness/base/result.h"
#include "harness/store/run_record.h"

namespace harness {

struct MadeBundle {
  std::string hash;     // of the archive
  size_t sources = 0;   // files in it
  size_t withheld = 0;  // submitted files that are not, because the config does not say that the students agree
};

/// Makes the archive `output` of the run in `run_folder`. The same run gives the same bytes.
Result<MadeBundle> make_bundle(const fs::path& root, const fs::path& run_folder, const fs::path& output);

/// Verifies a bundle, which may come from anyone, and unpacks it into the cache of the project. Returns the folder.
Result<fs::path> unpack_bundle(const fs::path& root, const fs::path& bundle);

/// Writes the kept texts of a run below `to`, without those that `wanted` refuses. An error names the first that is
/// gone.
Result<size_t> write_sources(const RunRecord& run, const fs::path& run_folder, const fs::path& root, const fs::path& to,
                             const std::function<bool(const SourceFile&)>& wanted);

/// A file that a student handed in.
bool is_submitted(const SourceFile& source);

}  // namespace harness
