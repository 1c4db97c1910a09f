// Archives of submissions: zip, tar (also compressed), git bundles and bare git repositories. They come from students,
// so a program in a sandbox unpacks them (unpack_submission.py), which writes only sources, headers and names of other
// files.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/base/files.h"
#include "harness/base/result.h"
#include "harness/grade/student_status.h"

namespace harness {

enum class ArchiveKind { zip, tar, bundle, repository };
template <>
struct Spelling<ArchiveKind> {
  static constexpr std::string_view words[] = {"zip", "tar", "bundle", "repository"};
};

/// By the ending of its name, or, for a repository, by what is in the folder.
std::optional<ArchiveKind> archive_kind(const fs::path& path);
/// "anna" of "anna.tar.gz". Other names stay as they are.
std::string without_archive_ending(const std::string& name);

struct Refusal {
  StudentStatus status;
  std::string reason;
};

/// Nothing if it was unpacked into the folder. An error is the machine's. The sandbox: a name as for choose_sandbox();
/// containers have no Python, so bwrap unpacks for them.
Result<std::optional<Refusal>> unpack_archive(const fs::path& archive, ArchiveKind kind, const fs::path& folder,
                                              const std::string& sandbox);

}  // namespace harness
