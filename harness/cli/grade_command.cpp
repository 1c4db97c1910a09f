// harness grade: the points of a class.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "harness/base/interrupt.h"
#include "harness/base/language.h"
#include "harness/base/text.h"
#include "harness/cli/command.h"
#include "harness/cli/console.h"
#include "harness/cli/executor_options.h"
#include "harness/cli/progress.h"
#include "harness/grade/grade_class.h"

namespace harness {
namespace {

class GradeCommand final : public Command {
 public:
  std::string name() const override { return "grade"; }
  std::string help() const override { return "give points to the submissions of a class"; }
  int order() const override { return 13; }

  std::vector<Option> options() override {
    std::vector<Option> all = {
        {"config", &config_, "the lab's YAML file, with rules in its key grade"},
        {"submissions", &submissions_, "a folder with one folder or archive per student"},
        {"--rules", &rules_, "a YAML file with rules that replace the key grade of the config", "FILE"},
        {"--roster", &roster_, "CSV of the class: id, name, submission, factor, submitted, deadline, extension",
         "FILE"},
        {"--marks", &marks_, "CSV with the column id and one for each rule that a person decides; - takes a mark back",
         "FILE"},
        {"--only", &only_, "only the student with this id; may be repeated", "ID"},
        {"--fresh", &fresh_, "run every submission again, also those that are graded"},
        {"--results", &results_, "folder of the store and the grades (default: results/)", "DIR"},
        {"--sandbox", &sandbox_, "where untrusted code runs; see harness list", "NAME"},
        {"--no-sanitize", &no_sanitize_, "do not also run CPU variants with gcc's sanitizers"},
        {"--gpu", &gpu_, "what GPU variants run on: auto, cuda, hip, emulated", "DEVICE"},
    };
    for (const Option& option : executor_.options()) all.push_back(option);
    all.push_back(executor_.per_job());
    return all;
  }

  Result<ExitCode> run() override {
    ClassOptions options;
    options.run.config = config_;
    options.run.rules = rules_;
    options.run.results = results_;
    options.run.sandbox = sandbox_;
    options.run.known = fresh_ ? Known::measure_again : Known::time_compared;
    options.run.command = command_line();
    options.run.sanitize_submission = !no_sanitize_;
    TRY_ASSIGN(options.run.device, parse_device_options(gpu_, "", "", ""));
    options.submissions = submissions_;
    options.roster = roster_;
    options.marks = marks_;
    options.only = only_;
    options.executor = executor_.executor;
    TRY_ASSIGN(options.settings, executor_.settings());
    options.on_jobs = show_jobs;
    options.on_waiting = [](const std::string& why) { print(tr("warning: {}", told(why)) + "\n"); };
    if (executor_.dry_run) {
      TRY_ASSIGN(const std::string script, job_script(options));
      print(script.empty() ? "nothing is new: there is nothing to submit\n" : script);
      return ExitCode::ok;
    }
    TRY_ASSIGN(const ClassSummary summary, grade_class(options, show));
    if (interrupted()) {
      print(executor_.executor.empty() ? tr("graded students are kept; run the same command again to go on\n")
                                       : executor_.goes_on);
      return ExitCode::interrupted;
    }
    std::map<StudentStatus, int> counts;
    for (const StudentGrade& student : summary.grades.students) ++counts[student.status];
    for (const std::string& remark : summary.grades.remarks) print(below(remark, "") + "\n");
    std::string text;
    for (const auto& [status, students] : counts)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", students, to_string(status));
    TRY(render_grades(summary.folder));
    print(tr("{}\ngrades: {}\nclass page: {}\n", text, (summary.folder / "grades.{json,csv}").string(),
             (summary.folder / "class.html").string()));
    return counts.contains(StudentStatus::FAILED) ? ExitCode::machine : ExitCode::ok;
  }

 private:
  // Why files that were run gave no points, in one line.
  static std::string first_mistake(const StudentGrade& s) {
    constexpr size_t longest = 200;
    if (s.status != StudentStatus::GRADED || s.earned > 0) return "";
    const auto award = std::ranges::find_if(s.rules, [](const Award& one) { return !one.next.empty(); });
    if (award == s.rules.end()) return "";
    std::string text = printable(told(award->next), longest);
    std::ranges::replace(text, '\n', ' ');
    return text;
  }

  static void show(const Progress& p) {
    const StudentGrade& s = p.student;
    std::string line = fmt::format("[{}/{}] {:<13} {}", p.done, p.of, to_string(s.status), s.id);
    if (info(s.status).has_points)
      line += tr("  {:.4g} of {:.4g}{}", s.earned, s.of, s.open > 0 ? tr(" ({:.4g} open)", s.open) : "");
    if (!p.is_new && !s.run.empty()) line += tr("  (known)");
    if (p.left_s > 1) line += tr("  about {} left", human_time(p.left_s));
    for (const std::string& text : {told(s.late), s.reason.empty() ? first_mistake(s) : told(s.reason)})
      if (!text.empty()) line += "\n" + below(text, std::string(14, ' '));
    print(line + "\n");
  }

  std::string config_, rules_, submissions_, roster_, marks_, results_, sandbox_, gpu_;
  std::vector<std::string> only_;
  bool fresh_ = false, no_sanitize_ = false;
  ExecutorOptions executor_;
};

GradeCommand grade_command;
const Register<Command> register_grade(&grade_command);

}  // namespace
}  // namespace harness
