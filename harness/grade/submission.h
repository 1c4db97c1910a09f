// Copies what a student handed in into a folder of the harness: sources, headers and the files that they include. It copies no links,
// and sizes have limits. The copy stays beside the grades, so that a teacher can defend a grade with the very files.
#pragma once

#include <string>
#include <vector>

#include "harness/grade/grades.h"

namespace harness {

struct Staged {
  StudentStatus status = StudentStatus::GRADED;
  std::string reason;
  SubmittedFiles files;
};

struct StagePlan {
  fs::path home;                    // gets a folder per submission
  std::vector<std::string> wanted;  // the variants that rules name
  std::string sandbox;              // for archives; as for unpack_archive()
  fs::path labs;                    // the interface is in lab/ there: copies of it do not count
  FilePolicy files = {};
  std::vector<std::string> lab_variants = {};  // no other file of a submission may replace them
};

/// Copies into a folder of `home` that is named after the contents, so that identical submissions are one: they are
/// built and measured once. A folder with nothing but an archive is that archive. An error is the machine's.
Result<Staged> stage_submission(const fs::path& submission, const StagePlan& plan);

/// What a system or file manager puts into folders and archives, as "__MACOSX": it is no part of a submission.
bool is_left_by_a_system(const fs::path& path);

}  // namespace harness
