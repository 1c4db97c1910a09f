// The files that a source can include without a path: those in and below its folder.
#pragma once

#include <vector>

#include "harness/base/files.h"
#include "harness/base/result.h"

namespace harness {

/// All files in and below `folder`, sorted; hidden ones are left out. An error if there are too many of them.
Result<std::vector<fs::path>> files_beside(const fs::path& folder);

}  // namespace harness
