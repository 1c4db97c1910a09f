// The folder of a run that a person names on the command line.
#pragma once

#include <string>

#include "harness/base/files.h"
#include "harness/base/result.h"
#include "harness/store/store.h"

namespace harness {

/// For --help.
inline constexpr const char* run_words =
    "a run's id or its beginning, a lab's name, \"latest\", a folder with run.json, or a bundle";

/// The store at `results` (empty: results/ of the project). An error if there is none: nothing is made.
Result<Store> open_store(const fs::path& root, const std::string& results);

/// A folder with a run.json is itself, and a bundle (NAME.zip) is verified and unpacked. Anything else is looked up in the
/// store at `results` (empty: results/ of the project), which writes the run's folder afresh.
Result<fs::path> find_run(const fs::path& root, const std::string& run, const std::string& results);

}  // namespace harness
