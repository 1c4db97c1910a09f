// A file that is still being written (a draft) has a temporary name, which ends in the host and the process that writes it.
// So the drafts of killed processes can be recognised and removed.
#pragma once

#include <string>

#include "harness/base/files.h"

namespace harness {

/// ".HOST.PID.tmp"
std::string draft_ending();
/// A name in the same folder, for a file that will be renamed to `path`.
fs::path draft_of(const fs::path& path);

enum class Depth { this_folder, below };
/// Removes drafts of processes that have ended. Drafts of other machines stay.
void remove_abandoned_drafts(const fs::path& folder, Depth depth);

}  // namespace harness
