// Published figures, from CSV to the rows of run.json.
#pragma once

#include "harness/engine/context.h"

namespace harness {

/// Every CSV of the config; a missing file or column or a bad number is an error with file and line.
Result<std::vector<PublishedFile>> read_published(const Context& context);
Result<PublishedFile> parse_published(const std::string& text, const Published& spec);

}  // namespace harness
