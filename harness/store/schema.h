// The tables of harness.sqlite.
#pragma once

#include "harness/store/sqlite.h"

namespace harness {

/// The version that this harness writes. A file with another version is an error: nothing is converted.
inline constexpr int store_version = 2;

/// Makes the tables in an empty file. An error if the file is from another program or has another version; it is then not
/// changed.
Done prepare_schema(Database& database, const fs::path& file);

}  // namespace harness
