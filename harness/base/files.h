// Files and folders, with errors that say what to do.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "harness/base/result.h"

namespace harness {

namespace fs = std::filesystem;

Result<std::string> read_file(const fs::path& path);
/// Writes a draft and renames it: readers see the old text or the new one, never a part.
Done write_file(const fs::path& path, std::string_view text);
Done make_folders(const fs::path& path);

/// Lets everybody read a folder and what is in it, whatever the umask is: a sandbox may switch to another user.
Done open_to_readers(const fs::path& folder);
/// The first file or folder there that other users may not read, or empty.
fs::path closed_to_others(const fs::path& folder);

/// A private folder that the destructor removes.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// The project's root: the folder that holds labs/ and configs/, found from $HARNESS_ROOT or the program's own path.
Result<fs::path> project_root();

}  // namespace harness
