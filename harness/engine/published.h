// Published figures, from CSV to the rows of run.json.
#pragma once

#include <nlohmann/json.hpp>

#include "harness/base/files.h"
#include "harness/config/config.h"

namespace harness {

/// All CSV files of the config. A missing file, a missing column or a bad number is an error with file and line.
Result<nlohmann::json> read_published(const fs::path& root, const std::vector<Published>& specs);
/// One CSV file as in run.json: {file, machine, sweep, rows, note}.
Result<nlohmann::json> parse_published(const std::string& text, const Published& spec);

}  // namespace harness
