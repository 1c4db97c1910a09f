// Published figures, from CSV to the rows of run.json.
#pragma once

#include "harness/base/files.h"
#include "harness/config/config.h"
#include "harness/store/run_record.h"

namespace harness {

/// All CSV files of the config. A missing file, a missing column or a bad number is an error with file and line.
Result<std::vector<PublishedFile>> read_published(const Config& config);
Result<PublishedFile> parse_published(const std::string& text, const Published& spec);

}  // namespace harness
