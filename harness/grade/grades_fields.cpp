// The fields of grades.json. To add one: a member in grades.h and a line here, then run
// `bin/harness schema --grades > docs/grades.schema.json`.
#include "harness/grade/grades.h"
#include "harness/store/description.h"

namespace harness {

using namespace description;

Struct describe(Of<ProgramVersion>);  // harness/store/run_fields.cpp

static Struct describe(Of<Award>) {
  using A = Award;
  return Fields<A>("Award", "What one rule gives to one student.")
      .required("rule", &A::rule, "name of the rule", not_empty)
      .required("kind", &A::kind, "`builds`, `correct`, `speed`, ...", not_empty)
      .required("hidden", &A::hidden, "students must not see it")
      .required("earned", &A::earned, "points", at_least_0)
      .required("of", &A::of, "the most that the rule gives", at_least_0)
      .required("open", &A::open, "points that are not decided yet", at_least_0)
      .required("why", &A::why, "one sentence", not_empty)
      .optional("next", &A::next, "what the student should look at")
      .optional("cases", &A::cases, "ids of the cases of the run that it looked at");
}

static Struct describe(Of<SubmittedFiles>) {
  using F = SubmittedFiles;
  return Fields<F>("Files", "The files of a submission.")
      .required("graded", &F::graded, "sources of the variants that rules name")
      .required("missing", &F::missing, "variants that rules name and that are not there")
      .required("extra", &F::extra, "other sources, which were not built")
      .optional("hash", &F::hash, "of names and contents of all files that the compiler could see")
      .optional("folder", &F::folder, "these files, relative to `grades.json`; students with identical files share it")
      .optional("source", &F::source, "the folder that the student put them into; absent if they came in an archive");
}

static Struct describe(Of<StudentGrade>) {
  using S = StudentGrade;
  return Fields<S>("Student", "One student.")
      .required("id", &S::id, "from the roster, else the name of the submission", not_empty)
      .required("name", &S::name, "from the roster, else the id", not_empty)
      .optional("submission", &S::submission, "file or folder that the student handed in")
      .required("status", &S::status, "what became of the submission")
      .optional("reason", &S::reason, "why it has this status")
      .required("files", &S::files, "what was in it")
      .optional("key", &S::key, "hash of all that decides the run: the next `harness grade` does not repeat it")
      .optional("run", &S::run, "id of the run")
      .optional("run_folder", &S::run_folder, "folder with its `run.json`, relative to `grades.json`")
      .required("seconds", &S::seconds, "time of the run", at_least_0)
      .optional("late", &S::late, "how late the submission was, and what that costs; absent: in time")
      .required("factor", &S::factor, "from the roster, times what a late submission loses", at_least_0)
      .required("earned", &S::earned, "the points of all rules, times the factor", at_least_0)
      .required("of", &S::of, "the most that all rules give", at_least_0)
      .required("open", &S::open, "points that are not decided yet", at_least_0)
      .optional("marks", &S::marks, "points that a person gave, by rule")
      .required("rules", &S::rules, "what each rule gives, in the order of the rules");
}

static Struct describe(Of<RuleSummary>) {
  using R = RuleSummary;
  return Fields<R>("Rule", "A rule of the configuration.")
      .required("name", &R::name, "its name", not_empty)
      .required("kind", &R::kind, "`builds`, `correct`, `speed`, ...", not_empty)
      .optional("variant", &R::variant, "the variant that it looks at")
      .optional("about", &R::about, "a sentence for students")
      .required("points", &R::points, "the most that it gives", at_least_0)
      .required("hidden", &R::hidden, "students must not see it");
}

static Struct describe(Of<GradeInfo>) {
  using I = GradeInfo;
  return Fields<I>("Grading", "When and how the class was graded.")
      .required("lab", &I::lab, "short name of the lab", not_empty)
      .required("title", &I::title, "title of the lab")
      .required("config", &I::config, "path of the configuration, as given")
      .required("rules_version", &I::rules_version, "hash of the rules", not_empty)
      .optional("intake_version", &I::intake_version, "hash of what is beside the rules: `late`, `files`, `attempts`")
      .optional("config_version", &I::config_version, "hash of the configuration without the rules: what the runs depend on")
      .required("started", &I::started, "UTC")
      .optional("finished", &I::finished, "UTC; absent while students are PENDING")
      .required("harness", &I::harness, "the program");
}

static Struct describe(Of<Grades>) {
  using G = Grades;
  return Fields<G>("Grades", "The whole file.")
      .required("schema", &G::schema, "version of this format", {{"const", G{}.schema}})
      .required("grading", &G::grading, "when and how the class was graded")
      .required("of", &G::of, "the most that all rules give", at_least_0)
      .required("rules", &G::rules, "the rules")
      .required("students", &G::students, "the students, in the order of the roster or by name")
      .required("remarks", &G::remarks, "what a teacher should know, for example submissions of nobody");
}

nlohmann::ordered_json to_json(const Grades& grades) {
  nlohmann::ordered_json json;
  Type<Grades>::write(grades, json);
  return json;
}

nlohmann::ordered_json grades_schema() {
  nlohmann::ordered_json schema = {{"$schema", "http://json-schema.org/draft-07/schema#"}}, definitions;
  Type<Grades>::schema(definitions);
  schema.update(definitions["Grades"]);
  definitions.erase("Grades");
  schema["definitions"] = std::move(definitions);
  return schema;
}

std::optional<Grades> grades_from_json(const nlohmann::ordered_json& json) {
  Grades grades;
  if (!Type<Grades>::read(json, grades)) return std::nullopt;
  return grades;
}

}  // namespace harness
