#include "harness/grade/enrol.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "harness/base/hash.h"
#include "harness/base/project.h"
#include "harness/base/text.h"
#include "harness/base/version.h"
#include "harness/config/scalars.h"
#include "harness/engine/lab.h"
#include "harness/engine/run.h"
#include "harness/grade/archive.h"
#include "harness/grade/late.h"
#include "harness/grade/submission.h"
#include "harness/store/json_text.h"
#include "harness/store/run_clock.h"

namespace harness {
namespace {

Result<std::string> hash_of_sources(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::recursive_directory_iterator(folder, error))
    if (entry.is_regular_file()) files.push_back(entry.path());
  std::ranges::sort(files);
  Hash hash;
  for (const fs::path& file : files) {
    TRY_ASSIGN(const std::string text, read_file(file));
    hash.add(file.filename().string()).add(text);
  }
  return hash.hex();
}

GradeInfo new_info(const Class& c) {
  GradeInfo info;
  info.lab = c.config.lab;
  info.title = c.config.title;
  info.config = c.config.path;
  info.rules_version = c.config.grade->version;
  info.intake_version = c.config.grade->intake_version;
  info.config_version = c.config.run_hash;
  info.started = iso_time(now_ms());
  info.harness = {version().version, version().commit, version().dirty};
  return info;
}

Result<std::vector<std::string>> entries_of(const fs::path& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error))
    return Error{fmt::format("{}: no such folder; it has one folder per student", folder.string())};
  std::vector<std::string> names;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    if (!is_left_by_a_system(at->path())) names.push_back(at->path().filename().string());
  if (error) return Error{fmt::format("{}: cannot read: {}", folder.string(), error.message())};
  if (names.empty()) return Error{fmt::format("{}: is empty; it has one folder per student", folder.string())};
  std::ranges::sort(names);
  return names;
}

/// The id under which a student is shown, on one line. A hash tells names apart that look alike because they are long,
/// cannot be printed or are not UTF-8.
std::string id_of(const std::string& name) {
  const auto in_json = json_from_text(to_text(name));  // there, bytes that are not UTF-8 are replaced
  std::string shown = printable(in_json->get<std::string>(), 200);
  std::ranges::replace(shown, '\n', '?');
  return shown == name ? name : fmt::format("{} ({})", shown, Hash().add(name).hex().substr(0, 8));
}

/// Submissions may be archives: anna.zip is anna's.
bool belongs_to(const std::string& entry, const RosterRow& row) {
  const std::string name = composed(entry);
  return name == row.submission || without_archive_ending(name) == row.submission;
}

/// The deadline of this student. Nothing: neither the roster nor the config has one.
std::optional<int64_t> deadline_of(const LatePolicy& policy, const RosterRow& row) {
  return row.deadline_s ? row.deadline_s : parse_time(policy.deadline);
}

void set_factor(const Class& c, const RosterRow& row, StudentGrade& student) {
  student.factor = row.factor;
  const auto& policy = c.config.grade->late;
  const auto deadline = policy ? deadline_of(*policy, row) : std::nullopt;
  if (!deadline || !row.submitted_s) return;
  const Lateness late = lateness(*policy, static_cast<double>(*row.submitted_s - *deadline) - row.extension_s);
  student.factor *= late.factor;
  student.late = late.why;
}

/// A mistake of the config must not become a failure of each student.
Result<Lab> load_without_submission(const Class& c) {
  RunOptions options = c.options.run;
  options.expected = c.wanted;
  return load_lab(options);
}

}  // namespace

Result<Class> open_class(const ClassOptions& options) {
  Class c;
  c.options = options;
  TRY_ASSIGN(c.config, load_graded(options.run.config, options.run.rules));
  TRY_ASSIGN(const fs::path root, project_root());
  c.results = options.run.results.empty() ? default_results(root) : options.run.results;
  c.folder = grades_folder(c.results, c.config.lab);
  c.labs = root / "labs";
  c.wanted = c.config.grade->submitted();
  c.compared = compared_variants(c.config);
  TRY_ASSIGN(const Lab lab, load_without_submission(c));
  for (const VariantInfo& variant : lab.variants) c.lab_variants.push_back(variant.name);
  if (!options.marks.empty()) {
    TRY_ASSIGN(c.marks, read_marks(options.marks, *c.config.grade));
  }
  TRY_ASSIGN(const std::string sources, hash_of_sources(c.labs));
  c.options.run.sanitize_submission &= c.config.grade->sanitize;
  Hash key;
  key.add(c.options.run.sanitize_submission ? "sanitize" : "");
  key.add(version().version).add(version().commit).add(c.config.run_hash).add(sources);
  key.add(options.run.sandbox).add(options.run.gpu_architecture).add(options.run.device.gpu);
  key.add(emulated_options(options.run.device)).add(join(c.wanted, " ")).add(join(c.compared, " "));
  c.key = key.hex();
  return c;
}

void remark_unknown_marks(const Class& c, Grades& grades) {
  for (const auto& [id, marks] : c.marks) {
    std::string remark = fmt::format("{} has marks for \"{}\", who is not in the class", c.options.marks, id);
    if (!contains(grades.remarks, remark) &&
        std::ranges::none_of(grades.students, [&](const StudentGrade& student) { return student.id == id; }))
      grades.remarks.push_back(std::move(remark));
  }
}

Result<Grades> enrol(const Class& c) {
  Grades grades;
  grades.grading = new_info(c);
  grades.of = c.config.grade->points();
  grades.rules = summaries(*c.config.grade);
  TRY_ASSIGN(const auto entries, entries_of(c.options.submissions));
  std::vector<RosterRow> rows;
  if (c.options.roster.empty()) {
    for (const std::string& entry : entries) {
      const std::string name = without_archive_ending(composed(entry)), id = id_of(name);
      if (rows.empty() || std::ranges::none_of(rows, [&](const RosterRow& row) { return row.submission == name; }))
        rows.push_back({id, id, name, 1, {}, {}, 0});
    }
  } else {
    TRY_ASSIGN(rows, read_roster(c.options.roster));
    for (const std::string& entry : entries)
      if (std::ranges::none_of(rows, [&](const RosterRow& row) { return belongs_to(entry, row); }))
        grades.remarks.push_back(
            fmt::format("\"{}\" belongs to nobody in the roster, and was not graded", printable(entry, 200)));
  }
  int untimed = 0, undated = 0;
  for (const RosterRow& row : rows) {
    StudentGrade student;
    student.id = row.id;
    student.name = row.name;
    set_factor(c, row, student);
    if (const auto& late = c.config.grade->late) {
      untimed += !row.submitted_s;
      undated += !deadline_of(*late, row);
    }
    for (const std::string& entry : entries) {
      if (!belongs_to(entry, row)) continue;
      if (!student.submission.empty()) {
        student.status = StudentStatus::REFUSED;
        student.reason =
            fmt::format("there are {} and {}; keep one",
                        printable(fs::path(student.submission).filename().string(), 200), printable(entry, 200));
      }
      student.submission = (c.options.submissions / entry).string();
    }
    grades.students.push_back(std::move(student));
  }
  if (untimed)
    grades.remarks.push_back(
        fmt::format("{} without a time in the column \"submitted\" of the roster: they count as in time",
                    counted(untimed, "student")));
  if (undated)
    grades.remarks.push_back(fmt::format(
        "{} without a deadline in the column \"deadline\" of the roster or in \"late\": they count as in time",
        counted(undated, "student")));
  remark_unknown_marks(c, grades);
  for (const std::string& id : c.options.only)
    if (std::ranges::none_of(rows, [&](const RosterRow& row) { return row.id == id; })) {
      std::vector<std::string> known;
      for (const RosterRow& row : rows) known.push_back(row.id);
      return Error{fmt::format("--only: no student \"{}\"{}", id, did_you_mean(id, known))};
    }
  return grades;
}

}  // namespace harness
