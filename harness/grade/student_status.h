// What became of the submission of one student: one table for grades.json, pages and messages.
#pragma once

#include "harness/base/enums.h"

namespace harness {

//   name           has points   meaning
#define HARNESS_STUDENT_STATUSES(X)                                                              \
  X(GRADED, true, "every file that the rules ask for was there and was run")                     \
  X(MISSING, true, "files that the rules ask for are missing: their rules give no points")       \
  X(MISNAMED, true, "a file that the rules ask for is missing, and another has almost its name") \
  X(EMPTY, true, "the submission has none of the files that the rules ask for")                  \
  X(NO_SUBMISSION, true, "the roster names the student, and there is no submission")             \
  X(REFUSED, true, "it was not run: it is not safe to read, too large, or not as `files` asks")  \
  X(UNREADABLE, true, "the submission cannot be read")                                           \
  X(FAILED, false, "the harness or the machine failed: not the student's fault, grade again")    \
  X(PENDING, false, "not graded yet")

enum class StudentStatus {
#define X(name, has_points, meaning) name,
  HARNESS_STUDENT_STATUSES(X)
#undef X
};

template <>
struct Spelling<StudentStatus> {
  static constexpr std::string_view words[] = {
#define X(name, has_points, meaning) #name,
      HARNESS_STUDENT_STATUSES(X)
#undef X
  };
};

struct StudentStatusInfo {
  StudentStatus status;
  bool has_points;
  std::string_view meaning;
};

inline constexpr StudentStatusInfo student_statuses[] = {
#define X(name, has_points, meaning) {StudentStatus::name, has_points, meaning},
    HARNESS_STUDENT_STATUSES(X)
#undef X
};

constexpr const StudentStatusInfo& info(StudentStatus s) { return student_statuses[static_cast<int>(s)]; }

}  // namespace harness
