// Where a project keeps what it writes.
#pragma once

#include "harness/base/files.h"

namespace harness {

/// The folder of the store and the reports: results/ beside labs/. A project that is installed or cannot be written to
/// is shared by many users: each has results/ in the folder where the command starts.
fs::path default_results(const fs::path& root);

/// Builds and measured machine limits: build/cache. In a shared project each user has a folder of their own,
/// $XDG_CACHE_HOME/harness (XDG Base Directory Specification 0.8) or ~/.cache/harness.
fs::path cache_folder(const fs::path& root);

}  // namespace harness
