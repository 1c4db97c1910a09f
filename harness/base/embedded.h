// Files inside this program that it needs at run time: programs and sources.
// cmake/Embed.cmake puts them in.
#pragma once

#include <string_view>
#include <vector>

#include "harness/base/files.h"

namespace harness {

struct EmbeddedFile {
  std::string_view group;  // "programs": what runs in a sandbox; "build": what builds of variants need
  std::string_view name;   // its path below the folder of its group
  std::string_view bytes;
};

/// Defined in the library `embedded`, one generated file.
const std::vector<EmbeddedFile>& embedded_files();

/// Unpacks the files of a group into a folder below `cache`, unless they are there already, and returns that folder.
/// Its name depends on their content.
Result<fs::path> unpack(std::string_view group, const fs::path& cache,
                        const std::vector<EmbeddedFile>& files = embedded_files());

}  // namespace harness
