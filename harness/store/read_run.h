// Reads the run.json of a folder, which may come from elsewhere.
#pragma once

#include "harness/base/files.h"
#include "harness/base/result.h"
#include "harness/store/run_record.h"

namespace harness {

Result<RunRecord> read_run(const fs::path& folder);

}  // namespace harness
