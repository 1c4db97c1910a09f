#include "harness/grade/grade_class.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "harness/base/draft.h"
#include "harness/base/hash.h"
#include "harness/base/interrupt.h"
#include "harness/base/parallel.h"
#include "harness/base/project.h"
#include "harness/base/stopwatch.h"
#include "harness/base/text.h"
#include "harness/config/scalars.h"
#include "harness/engine/run.h"
#include "harness/grade/archive.h"
#include "harness/grade/build_ahead.h"
#include "harness/grade/enrol.h"
#include "harness/grade/slow_nodes.h"
#include "harness/grade/submission.h"
#include "harness/kernel/kernel.h"
#include "harness/plan/variants.h"
#include "harness/python/reports.h"
#include "harness/store/json_text.h"
#include "harness/store/read_run.h"
#include "harness/store/run_clock.h"
#include "harness/store/store.h"

namespace harness {

fs::path grades_folder(const fs::path& results, const std::string& lab) { return results / lab / "grades"; }

namespace {

constexpr int default_per_job = 10;  // 10,000 submissions fit into an array of Slurm's default size

// After so many failures of the harness in a row the next students would fail too.
constexpr int most_failures = 3;

// Each attempt is built and run: one student must not keep the machine from the class.
constexpr size_t most_attempts = 50;

class OnlyWaiting final : public EventSink {
 public:
  explicit OnlyWaiting(const ClassOptions& options) : options_(options) {}
  void on(const Event& event) override {
    if (const auto* warning = std::get_if<event::Warning>(&event); warning && warning->waits && options_.on_waiting)
      options_.on_waiting(warning->text);
  }

 private:
  const ClassOptions& options_;
};

/// The submissions of a student who may hand in several: a folder with 1, 2, ...; else the submission itself.
std::vector<std::string> attempts_of(const fs::path& submission) {
  std::error_code error;
  std::set<std::pair<int64_t, std::string>> found;  // 1 and 01 are two of them
  if (fs::is_directory(fs::symlink_status(submission, error)))
    for (fs::directory_iterator at(submission, error), end; !error && at != end; at.increment(error)) {
      const std::string file = at->path().filename().string();
      if (is_left_by_a_system(file)) continue;
      const auto number = parse_integer(without_archive_ending(file));
      if (!number || *number < 0) return {submission.string()};
      found.emplace(*number, at->path());
    }
  std::vector<std::string> attempts;
  for (const auto& [number, path] : found) attempts.push_back(path);
  return attempts.empty() ? std::vector{submission.string()} : attempts;
}

/// The marks of a student with those of a table. A newer mark replaces the older one for the same rule.
void add_marks(const Class& c, StudentGrade& student) {
  const auto changes = c.marks.find(student.id);
  if (changes == c.marks.end()) return;
  for (const auto& [rule, points] : changes->second) {
    std::erase_if(student.marks, [&](const auto& old) { return old.first == rule; });
    if (points) student.marks.emplace_back(rule, *points);
  }
}

Done award(const Class& c, StudentGrade& student) {
  std::optional<RunRecord> run;
  if (!student.run_folder.empty()) {
    TRY_ASSIGN(run, read_run(c.folder / student.run_folder));
  }
  const auto missing = run ? student.files.missing : c.wanted;
  const bool refused = student.status == StudentStatus::REFUSED || student.status == StudentStatus::UNREADABLE;
  set_points(student, award_points(*c.config.grade,
                                   {run ? &*run : nullptr, missing, student.marks, refused ? student.reason : ""}));
  return ok();
}

void fail(StudentGrade& student, const std::string& why) {
  student.status = StudentStatus::FAILED;
  student.reason = printable(why, 500);
}

RunOptions run_options(const Class& c, const StudentGrade& student) {
  RunOptions options = c.options.run;
  options.results = c.results;
  options.submission = c.folder / student.files.folder;
  options.submitted = c.wanted;
  options.render = false;
  options.absent = student.files.missing;
  options.selection.variants = c.compared;
  for (const std::string& name : c.wanted)
    if (!contains(student.files.missing, name)) options.selection.variants.push_back(name);
  return options;
}

void run_student(const Class& c, StudentGrade& student) {
  OnlyWaiting events(c.options);
  const Stopwatch watch;
  const auto summary = run_lab(run_options(c, student), events);
  student.seconds = watch.s();
  if (!summary) return fail(student, summary.error().message);
  student.run = summary->run_id;
  student.run_folder = "../" + summary->run_id;
}

/// What the text of its sources alone makes impossible to run.
std::optional<std::string> defect_of(const Class& c, const fs::path& folder) {
  std::vector<VariantInfo> variants;
  const Kernel* kernel = find_kernel(c.config.kernel);
  const Done added = kernel ? add_submission(variants, folder, *kernel, Links::inside, c.wanted) : ok();
  if (added) return std::nullopt;
  const std::string& why = added.error().message;
  return starts_with(why, folder.string() + "/") ? why.substr(folder.string().size() + 1) : why;
}

/// By key. The same files get the same run, so that they get the same points.
struct Runs {
  std::map<std::string, StudentGrade> known;  // students with a run
  std::map<std::string, std::string> failed;  // jobs: why there is no run
  std::set<std::string> from_jobs;            // known, and not shown yet
  std::vector<NodeLimits> limits;             // of the runs of jobs
  std::map<std::string, Result<Staged>> staged;  // by submission: an archive is unpacked once
};

bool is_known(const Class& c, const Runs& runs, const std::string& key) {
  const auto known = runs.known.find(key);
  return known != runs.known.end() && read_run(c.folder / known->second.run_folder);
}

/// Copies what was handed in. The student gets a key if it can be run.
void prepare(const Class& c, StudentGrade& student, Runs& runs) {
  if (student.submission.empty()) {
    student.status = StudentStatus::NO_SUBMISSION;
    student.files.missing = c.wanted;
  } else if (student.status == StudentStatus::REFUSED) {  // when the class was enrolled
    student.files.missing = c.wanted;
  } else {
    auto staged = runs.staged.find(student.submission);
    if (staged == runs.staged.end()) {
      const StagePlan plan{c.folder / "sources", c.wanted, c.options.run.sandbox, c.labs, c.config.grade->files, c.lab_variants};
      staged = runs.staged.emplace(student.submission, stage_submission(student.submission, plan)).first;
    }
    if (!staged->second) return fail(student, staged->second.error().message);
    student.status = staged->second->status;
    student.reason = staged->second->reason;
    student.files = staged->second->files;
    if (!student.files.folder.empty())
      student.files.folder = fs::path(student.files.folder).lexically_relative(c.folder).string();
  }
  const auto can_run = [&] {
    return !student.files.graded.empty() && student.status != StudentStatus::REFUSED &&
           student.status != StudentStatus::UNREADABLE;
  };
  if (can_run())
    if (const auto defect = defect_of(c, c.folder / student.files.folder)) {
      student.status = StudentStatus::UNREADABLE;
      student.reason = printable(*defect, 500);
    }
  if (can_run()) student.key = Hash().add(c.key).add(student.files.hash).hex().substr(0, 32);
}

/// True if something was run for this student. What goes wrong is the status of this student only.
bool grade_student(const Class& c, StudentGrade& student, Runs& runs) {
  prepare(c, student, runs);
  if (student.status == StudentStatus::FAILED) return false;
  bool is_new = false;
  if (const auto failed = runs.failed.find(student.key); failed != runs.failed.end()) {
    fail(student, failed->second);
  } else if (is_known(c, runs, student.key)) {
    const StudentGrade& known = runs.known[student.key];
    student.run = known.run;
    student.run_folder = known.run_folder;
    student.seconds = known.seconds;
    is_new = runs.from_jobs.erase(student.key) > 0;
  } else if (!student.key.empty()) {
    is_new = true;
    run_student(c, student);
  }
  if (interrupted()) return is_new;
  if (info(student.status).has_points)
    if (const Done done = award(c, student); !done) fail(student, done.error().message);
  if (student.status == StudentStatus::FAILED)
    student.key.clear();
  else if (!student.run.empty())
    runs.known[student.key] = student;
  return is_new;
}

/// The submissions of a student that count.
std::vector<std::string> counting_attempts(const Class& c, const StudentGrade& student) {
  std::vector<std::string> attempts = attempts_of(student.submission);
  const size_t most = c.config.grade->attempts == Attempts::last ? 1 : most_attempts;
  if (attempts.size() > most) attempts.erase(attempts.begin(), attempts.end() - static_cast<ptrdiff_t>(most));
  return attempts;
}

/// Grades the attempt that counts: the last one, or the one with the most points; of equal ones the last.
bool grade_attempts(const Class& c, StudentGrade& student, Runs& runs) {
  if (student.submission.empty() || student.status == StudentStatus::REFUSED) return grade_student(c, student, runs);
  const std::vector<std::string> attempts = counting_attempts(c, student);
  const size_t all = attempts_of(student.submission).size();
  std::optional<StudentGrade> best;
  bool is_new = false;
  double seconds = 0;
  for (const std::string& attempt : attempts) {
    StudentGrade one = student;
    one.submission = attempt;
    is_new |= grade_student(c, one, runs);
    if (interrupted()) return is_new;
    seconds += one.seconds;
    const bool decided = info(one.status).has_points;
    if (!best || !decided || (info(best->status).has_points && one.earned >= best->earned)) best = one;
    if (!decided) break;  // the next attempt may be worse: what could not be graded must be graded again
  }
  student = *std::move(best);
  student.seconds = seconds;
  const auto add_reason = [&](const std::string& why) { student.reason += (student.reason.empty() ? "" : "; ") + why; };
  if (c.config.grade->attempts == Attempts::best && all > attempts.size())
    add_reason(fmt::format("only the newest {} of {} attempts count", attempts.size(), all));
  if (all > 1 && !student.files.missing.empty())
    add_reason(fmt::format("what lies in {} counts, because folders with numbers are taken for attempts",
                           printable(fs::path(student.submission).filename().string(), 40)));
  return is_new;
}

/// What a student has until the turn comes: the grade of before, by the rules of now.
StudentGrade until_turn(const Class& c, const GradeInfo& before, const StudentGrade* known,
                        const StudentGrade& enrolled) {
  if (known && (before.intake_version.empty() || before.intake_version == c.config.grade->intake_version)) {
    StudentGrade student = *known;
    const bool same_rules = before.rules_version == c.config.grade->version || !info(student.status).has_points;
    if (same_rules || award(c, student)) return student;
  }
  StudentGrade student = enrolled;
  student.status = StudentStatus::PENDING;
  student.reason.clear();
  return student;
}

/// The config without its rules has changed, so other cases would run.
bool of_another_config(const Class& c, const GradeInfo& before) {
  return !before.config_version.empty() && before.config_version != c.config.run_hash;
}
constexpr std::string_view other_cases =
    "the config has changed since the class was graded, and not only its rules: these are the points of the cases that ran "
    "then; harness grade runs those of now";

/// Points by other rules must not stand beside those of one student.
Done check_only(const Class& c, const std::optional<Grades>& before) {
  if (!before || c.options.only.empty()) return ok();
  const fs::path file = c.folder / "grades.json";
  const GradeInfo& old = before->grading;
  if (!old.intake_version.empty() && old.intake_version != c.config.grade->intake_version)
    return Error{fmt::format(
        "--only: {} was made with other keys beside the rules (late, files, attempts); leave out --only once",
        file.string())};
  if (of_another_config(c, old))
    return Error{fmt::format("--only: {} was made with another config (sweeps, measure); leave out --only once",
                             file.string())};
  if (old.rules_version != c.config.grade->version)
    return Error{fmt::format("--only: {} has points by other rules; run harness regrade {}{} first", file.string(),
                             c.config.path, c.options.run.rules.empty() ? "" : " --rules " + c.options.run.rules)};
  return ok();
}

const StudentGrade* find_student(const std::optional<Grades>& grades, const std::string& id) {
  if (grades)
    for (const StudentGrade& student : grades->students)
      if (student.id == id) return &student;
  return nullptr;
}

using Turns = std::vector<std::pair<size_t, StudentGrade>>;  // each with the student as enrolled

/// Runs of the last command, unless everything is run again.
Runs runs_before(const Class& c, const std::optional<Grades>& before) {
  Runs runs;
  if (before && c.options.run.known != Known::measure_again)
    for (const StudentGrade& student : before->students)
      if (!student.key.empty() && !student.run.empty() &&
          runs.known[student.key].run < student.run)  // ids sort by time
        runs.known[student.key] = student;
  return runs;
}

/// The runs that these students need, each once.
std::vector<ShardRun> new_runs(const Class& c, const Turns& turns, Runs& runs) {
  std::vector<ShardRun> wanted;
  std::set<std::string> seen;
  for (const auto& [turn, enrolled] : turns) {
    if (enrolled.submission.empty() || enrolled.status == StudentStatus::REFUSED) continue;
    for (const std::string& attempt : counting_attempts(c, enrolled)) {
      StudentGrade student = enrolled;
      student.submission = attempt;
      prepare(c, student, runs);
      if (student.key.empty() || runs.failed.contains(student.key) || is_known(c, runs, student.key)) continue;
      if (seen.insert(student.key).second) wanted.push_back({student.key, run_options(c, student)});
      if (interrupted()) return wanted;
    }
  }
  return wanted;
}

/// Compiles on all cores what the next students need: a run of one variant keeps one core busy.
void compile_ahead(const Class& c, const Turns& turns, size_t first, size_t count, Runs& runs) {
  const auto from = turns.begin() + static_cast<ptrdiff_t>(first);
  const Turns next(from, from + static_cast<ptrdiff_t>(std::min(count, turns.size() - first)));
  const std::vector<ShardRun> wanted = new_runs(c, next, runs);
  parallel_for(std::ssize(wanted), 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) build_ahead(wanted[static_cast<size_t>(i)].options);
  });
}

ShardsPlan shards_plan(const Class& c, std::vector<ShardRun> runs) {
  ShardsPlan plan{.label = c.config.lab, .home = c.folder / "shards", .results = c.results};
  plan.runs = std::move(runs);
  plan.settings = c.config.executor;
  plan.settings.take(c.options.settings);
  plan.per_shard = plan.settings.per_job.value_or(default_per_job);
  return plan;
}

/// Runs on the executor what is not known yet.
Done run_on_executor(const Class& c, const Turns& turns, Runs& runs) {
  const fs::path home = c.folder / "shards";
  if (c.options.executor.empty()) {
    if (!has_jobs(home)) return ok();
    return Error{
        fmt::format("{}: jobs of an earlier command may still run; add --executor to go on with them, or remove "
                    "this folder",
                    home.string())};
  }
  TRY_ASSIGN(const auto executor, make_executor(c.options.executor));
  if (c.options.run.known == Known::measure_again) TRY(drop_jobs(*executor, home));
  for (bool again = false;; again = true) {  // the jobs of an earlier command may not have run all that is new now
    const ShardsPlan plan = shards_plan(c, new_runs(c, turns, runs));
    if (interrupted()) return ok();
    if (plan.runs.empty()) return again ? ok() : drop_jobs(*executor, home);
    if (again) forget_jobs(home, Logs::keep);
    TRY_ASSIGN(const RunOutcomes outcomes, run_shards(*executor, plan, c.options.on_jobs));
    for (const auto& [key, outcome] : outcomes) {
      if (!outcome.error.empty()) {
        runs.failed[key] = outcome.error;
        continue;
      }
      StudentGrade& known = runs.known[key];
      known.run = outcome.run;
      known.run_folder = "../" + outcome.run;
      known.seconds = outcome.seconds;
      runs.from_jobs.insert(key);
      if (auto run = read_run(c.folder / known.run_folder)) runs.limits.emplace_back(outcome.node, run->machine_limits);
    }
  }
}

}  // namespace

Result<std::string> job_script(const ClassOptions& options) {
  TRY_ASSIGN(const Class c, open_class(options));
  TRY_ASSIGN(const Grades grades, enrol(c));
  TRY_ASSIGN(const RunLock lock, RunLock::take(c.folder.parent_path(), c.folder.filename().string()));
  TRY_ASSIGN(const std::optional<Grades> before, read_grades(c.folder / "grades.json"));
  TRY_ASSIGN(const auto executor, make_executor(c.options.executor));
  Turns turns;
  for (const StudentGrade& student : grades.students)
    if (options.only.empty() || contains(options.only, student.id)) turns.emplace_back(0, student);
  Runs runs = runs_before(c, before);
  const ShardsPlan plan = shards_plan(c, new_runs(c, turns, runs));
  return plan.runs.empty() ? Result<std::string>("") : script_of(*executor, plan);
}

Result<ClassSummary> grade_class(const ClassOptions& options, const OnStudent& on_student) {
  TRY_ASSIGN(const Class c, open_class(options));
  TRY_ASSIGN(Grades grades, enrol(c));
  TRY_ASSIGN(const RunLock lock, RunLock::take(c.folder.parent_path(), c.folder.filename().string()));
  TRY_ASSIGN(const std::optional<Grades> before, read_grades(c.folder / "grades.json"));
  TRY(check_only(c, before));
  if (before)
    for (const StudentGrade& old : before->students)
      if (std::ranges::none_of(grades.students, [&](const StudentGrade& student) { return student.id == old.id; }))
        grades.remarks.push_back(fmt::format("\"{}\" is not in the class any more; the pages in students/ stay", old.id));
  remove_abandoned_drafts(c.folder / "sources", Depth::this_folder);
  // Students whose turn has not come keep what an earlier command wrote.
  Turns turns;
  for (size_t i = 0; i < grades.students.size(); ++i) {
    StudentGrade& student = grades.students[i];
    const StudentGrade* known = find_student(before, student.id);
    if (known) student.marks = known->marks;
    add_marks(c, student);
    if (options.only.empty() || contains(options.only, student.id)) turns.emplace_back(i, student);
    student = until_turn(c, before ? before->grading : GradeInfo{}, known, student);
  }
  Runs runs = runs_before(c, before);
  TRY(run_on_executor(c, turns, runs));
  for (std::string& remark : slow_nodes(runs.limits)) grades.remarks.push_back(std::move(remark));
  int failures = 0;
  size_t done = 0;
  double new_s = 0;
  int new_students = 0;
  const size_t at_once = 4 * static_cast<size_t>(usable_cores());
  for (size_t i = 0; i < turns.size(); ++i) {
    auto& [turn, student] = turns[i];
    if (options.executor.empty() && i % at_once == 0) compile_ahead(c, turns, i, at_once, runs);
    if (interrupted()) break;
    const bool is_new = grade_attempts(c, student, runs);
    if (interrupted()) break;
    failures = student.status == StudentStatus::FAILED ? failures + 1 : 0;
    new_s += is_new ? student.seconds : 0;
    new_students += is_new;
    if (student.status == StudentStatus::FAILED && info(grades.students[turn].status).has_points)
      grades.remarks.push_back(fmt::format("\"{}\" keeps the old points: {}", student.id, student.reason));
    else
      grades.students[turn] = student;
    TRY(write_grades(c.folder, grades));
    ++done;
    const double left =
        new_students && options.executor.empty() ? new_s / new_students * static_cast<double>(turns.size() - done) : 0;
    on_student({student, is_new, done, turns.size(), left});
    if (failures == most_failures && options.executor.empty())
      return Error{fmt::format("{} students in a row could not be graded: {}", failures, student.reason),
                   ExitCode::machine};
  }
  const bool all = std::ranges::none_of(
      grades.students, [](const StudentGrade& student) { return student.status == StudentStatus::PENDING; });
  if (all && done == turns.size()) grades.grading.finished = iso_time(now_ms());
  TRY(write_grades(c.folder, grades));
  if (!interrupted()) forget_jobs(c.folder / "shards", runs.failed.empty() ? Logs::remove : Logs::keep);
  return ClassSummary{std::move(grades), c.folder};
}

Result<Regraded> regrade(const ClassOptions& options) {
  TRY_ASSIGN(const Class c, open_class(options));
  TRY_ASSIGN(const RunLock lock, RunLock::take(c.folder.parent_path(), c.folder.filename().string()));
  TRY_ASSIGN(std::optional<Grades> before, read_grades(c.folder / "grades.json"));
  if (!before)
    return Error{fmt::format("{}: there are no grades; run harness grade first", (c.folder / "grades.json").string())};
  if (!before->grading.intake_version.empty() && before->grading.intake_version != c.config.grade->intake_version)
    return Error{
        fmt::format("{}: late, files or attempts have changed since the class was graded; run harness grade again: it "
                    "repeats no run",
                    c.config.path)};
  Grades grades = *before;
  remark_unknown_marks(c, grades);
  std::erase(grades.remarks, other_cases);
  if (of_another_config(c, before->grading)) grades.remarks.emplace_back(other_cases);
  grades.grading.config = c.config.path;
  grades.grading.rules_version = c.config.grade->version;
  grades.of = c.config.grade->points();
  grades.rules = summaries(*c.config.grade);
  for (StudentGrade& student : grades.students) {
    add_marks(c, student);
    if (!info(student.status).has_points) continue;
    if (const Done done = award(c, student); !done)
      grades.remarks.push_back(fmt::format("\"{}\" keeps the old points: {}", student.id, done.error().message));
  }
  TRY(write_grades(c.folder, grades));
  return Regraded{*std::move(before), std::move(grades), c.folder};
}

Done render_grades(const fs::path& folder) {
  TRY_ASSIGN(const fs::path root, project_root());
  TRY_ASSIGN(const ProcessResult result, run_python(root, {"reports", "grades", fs::absolute(folder).string()}));
  if (result.exit == 0) return ok();
  return Error{fmt::format("the pages could not be rendered: {}; the grades are kept", python_error(result).message),
               ExitCode::machine};
}

}  // namespace harness
