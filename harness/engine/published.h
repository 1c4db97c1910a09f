// Published figures, from CSV to the rows of run.json.
#pragma once

#include "harness/engine/context.h"

namespace harness {

/// Every CSV of the config; a missing file or column or a bad number is an error with file and line.
Result<nlohmann::json> read_published(const Context& context);
/// One CSV as it stands in run.json: {file, machine, sweep, rows, note}.
Result<nlohmann::json> parse_published(const std::string& text, const Published& spec);

}  // namespace harness
