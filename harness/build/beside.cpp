#include "harness/build/beside.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/base/text.h"

namespace harness {

Result<std::vector<fs::path>> files_beside(const fs::path& folder) {
  constexpr size_t most_files = 2000;
  std::vector<fs::path> files;
  std::error_code error;
  for (auto entry = fs::recursive_directory_iterator(folder, fs::directory_options::skip_permission_denied, error);
       !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    if (starts_with(entry->path().filename().string(), ".")) {
      if (entry->is_directory(error)) entry.disable_recursion_pending();
      continue;
    }
    if (!entry->is_regular_file(error)) continue;
    files.push_back(entry->path());
    if (files.size() > most_files)
      return Error{fmt::format("{}: more than {} files beside a source; give it a folder of its own", folder.string(),
                               most_files)};
  }
  std::ranges::sort(files);
  return files;
}

}  // namespace harness
