// Which files a run was made of, so that it can be made again elsewhere.
#pragma once

#include "harness/engine/cases.h"
#include "harness/store/run_record.h"

namespace harness {

struct KeptSources {
  std::vector<SourceFile> files;
  std::vector<std::string> too_large;  // these are left out
};

/// Keeps the config with the tables that it names, the interface labs/lab, and for each variant of the run its source
/// and the files beside it that the compiler read. A build that failed has no list of these: then those that the source names.
Result<KeptSources> keep_sources(const PlacedLab& lab, const Cases& cases);

}  // namespace harness
