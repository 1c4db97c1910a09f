// What is being written has a name of its own until it is whole. The name ends in the machine and the process that
// writes, so that what a killed one left behind can be told from what still grows.
#pragma once

#include <string>

#include "harness/base/files.h"

namespace harness {

/// ".HOST.PID.tmp"
std::string draft_ending();
/// The neighbour that will be renamed to `path`.
fs::path draft_of(const fs::path& path);

enum class Depth { this_folder, below };
/// Removes files, links and folders whose process is no more. Those of other machines stay.
void remove_abandoned_drafts(const fs::path& folder, Depth depth);

}  // namespace harness
