// Which files a run was made of, so that it can be made again elsewhere.
#pragma once

#include "harness/engine/cases.h"
#include "harness/store/run_record.h"

namespace harness {

/// Keeps the config with the tables that it names, the interface labs/lab, and for each variant of the run its source
/// and the files beside it that it names. Files larger than a source may be are left out.
Result<std::vector<SourceFile>> keep_sources(const PlacedLab& lab, const Cases& cases);

}  // namespace harness
