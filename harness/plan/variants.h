// Which variants there are: the lab's own files, and those of a submission.
#pragma once

#include <vector>

#include "harness/base/files.h"
#include "harness/base/result.h"
#include "harness/kernel/kernel.h"
#include "harness/plan/plan.h"

namespace harness {

/// The variants of a lab's folder, by name. Tests, headers and files without an entry point are none.
Result<std::vector<VariantInfo>> scan_variants(const fs::path& folder, const Kernel& kernel);

/// Adds a student's file, or the files of a folder: those with the name of a variant replace it, others join.
/// Files without an entry point come too, with no dtypes, so that their author is told.
Done add_submission(std::vector<VariantInfo>& variants, const fs::path& folder_or_file, const Kernel& kernel);

}  // namespace harness
