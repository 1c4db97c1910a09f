// Grades the submissions of a class, one after the other. Each finished student is written at once, so the command can
// be stopped at any moment and started again.
#pragma once

#include <functional>

#include "harness/cluster/run_shards.h"
#include "harness/engine/options.h"
#include "harness/grade/grades.h"

namespace harness {

struct ClassOptions {
  RunOptions run;                 // its submission and selection are set for each student
  fs::path submissions;           // a folder, an archive or a source file per student
  std::string roster, marks;      // CSV files; empty: none
  std::vector<std::string> only;  // ids; empty: all
  std::string executor;           // what is new runs there; empty: in this process
  ExecutorSettings settings;      // each one given on the command line replaces that of the config
  OnJobs on_jobs;
  std::function<void(const std::string&)> on_waiting;  // for another run; gets the sentence
};

struct Progress {
  const StudentGrade& student;
  bool is_new = false;  // false: nothing was run, because the same files were graded before, or there are none
  size_t done = 0, of = 0;
  double left_s = 0;  // estimated
};
using OnStudent = std::function<void(const Progress&)>;

struct ClassSummary {
  Grades grades;
  fs::path folder;
};

/// results/<lab>/grades: grades.json, and the files of each student.
fs::path grades_folder(const fs::path& results, const std::string& lab);

Result<ClassSummary> grade_class(const ClassOptions& options, const OnStudent& on_student);

/// The script of the jobs that grade_class() would submit, or nothing if there is nothing to run.
Result<std::string> job_script(const ClassOptions& options);

/// Writes the class page, a page of feedback per student and gradebooks beside grades.json. The grades are kept if this
/// fails.
Done render_grades(const fs::path& folder);

struct Regraded {
  Grades before, after;
  fs::path folder;
};

/// Computes the points of all students again, from the runs that the grades name.
Result<Regraded> regrade(const ClassOptions& options);

}  // namespace harness
