// The tables of harness.sqlite.
#pragma once

#include "harness/store/sqlite.h"

namespace harness {

/// Written by this harness; another number in a file is an error, never a silent conversion.
inline constexpr int store_version = 2;

/// Makes the tables in an empty file, or finds that the file is one of ours and of this version. A file of
/// another program is left as it is.
Done prepare_schema(Database& database, const fs::path& file);

}  // namespace harness
