// The files that a build has read, from the lists that compilers and assemblers write for make (-MD).
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/files.h"

namespace harness {

/// The files behind the colon of a rule of make.
std::vector<std::string> files_of_rule(const std::string& rule);

/// Where the files of a build may be.
struct Origins {
  std::vector<fs::path> own;     // the submission, the interface, the harness's own files for builds
  std::vector<fs::path> system;  // the compiler's
  bool image = false;            // the system is an image of a container, whose identity counts
};

/// What is wrong with a file that was read, and its files if nothing is.
struct FilesRead {
  std::vector<std::string> files;  // sorted
  std::string refused;             // the first one that is elsewhere
};

/// An assembler reads nothing of the system: a variant could only take a library from there (.incbin).
constexpr std::string_view list_of_assembler = "assembled.d";

/// Reads the lists NAME.d in the folder of a build. Files in that folder are the compiler's own.
Result<FilesRead> files_read(const fs::path& folder, const Origins& origins);

/// Hashes files, those of the system only once.
class FileHashes {
 public:
  /// The hash of the names and contents of these files. An error if one of them cannot be read.
  Result<std::string> of(const std::vector<std::string>& files, const Origins& origins);

 private:
  std::mutex mutex_;
  std::map<std::string, std::string> system_;
};

}  // namespace harness
