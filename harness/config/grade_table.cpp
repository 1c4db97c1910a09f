#include "harness/base/text.h"
#include "harness/config/config_table.h"
#include "harness/config/grade.h"
#include "harness/config/rule_kinds.h"

namespace harness {
namespace {

using namespace schema;

constexpr double most_points = 10'000, most_waste = 1e6;

const std::vector<RuleKind>& rule_table() {
  static const std::vector<RuleKind> all = {
      {"builds", "every build of the variant compiles", {"variant", "points"}, {"sweep", "where"}},
      {"correct",
       "the cases of the variant are right; each gives its share of the points",
       {"variant", "points"},
       {"sweep", "where", "credit"}},
      {"speed",
       "how fast the variant is, once all its cases are right",
       {"variant"},
       {"sweep", "where", "metric", "over", "steps", "linear", "across"}},
      {"clean",
       "the emulated device sees no mistakes in the variant, or none of the diagnostics in \"without\"",
       {"variant", "points"},
       {"sweep", "where", "without"}},
      {"claim",
       "a claim about the numbers of the run holds, once all cases of the variant are right",
       {"variant", "points", "claim", "sweep"},
       {}},
      {"manual", "a person gives the points: the column of that name in the table of marks", {"points"}, {}},
  };
  return all;
}

template <class E>
Schema one_of() {
  return word({std::begin(Spelling<E>::words), std::end(Spelling<E>::words)});
}

Schema thresholds() { return map_with("thresholds", {}, number_key(), number(0, most_points)); }

Schema rule() {
  std::vector<std::string> kinds;
  std::string meanings;
  for (const RuleKind& kind : rule_table()) {
    kinds.emplace_back(kind.name);
    meanings += (meanings.empty() ? "" : ". ") + std::string(kind.name) + ": " + std::string(kind.meaning);
  }
  const Schema value = axis_value();
  return map(
      "rule",
      {
          required("name", "its name in tables of points",
                   text_like("[A-Za-z0-9][A-Za-z0-9 _-]*", "a name of letters, digits, spaces, \"_\" and \"-\"")),
          required("rule", meanings, word(kinds)),
          optional("variant", "the variant that it looks at; students hand in a file of this name", text()),
          optional("points", "the most that it gives", number(0, most_points)),
          optional("about", "a sentence for students", text()),
          optional("hidden", "students see neither the rule nor its points", truth(), false),
          optional("sweep", "only cases of this sweep", text()),
          optional("where", "only cases with these values of axes",
                   map_with("where", {}, text(), either({value, list_of_distinct(value, 1)}))),
          optional("credit", "correct: a share of the points per right case, or points only if all are right",
                   one_of<Credit>(), "share"),
          optional("metric", "speed: what the thresholds are about", word(metric_names()), "speedup"),
          optional("over", "speed: the thresholds are about the speedup over this variant", text()),
          optional("steps", "speed: map from threshold to points", thresholds()),
          optional("linear", "speed: the same; between two thresholds the points grow evenly", thresholds()),
          optional("across", "speed: the mean of the points of all cases, or the best or worst", one_of<Across>(),
                   "mean"),
          optional(
              "without",
              "clean: the diagnostics that must not be seen, or a map from diagnostics to the factor that they may "
              "waste; without it: all mistakes",
              either({list_of_distinct(text(), 1), map_with("without", {}, text(), number(1, most_waste))})),
          optional("claim", "claim: a sentence as in the key `claims`; it names the variant", text()),
      });
}

Schema files() {
  return map(
      "files",
      {
          optional("missing",
                   "if a variant has no file; no_points: its rules give no points; refuse: no rule gives any",
                   one_of<MissingFiles>(), "no_points"),
          optional("misnamed",
                   "if a file has almost the right name; no_points: as if it were missing; accept: as if it had the "
                   "right name",
                   one_of<MisnamedFiles>(), "no_points"),
          optional(
              "extra",
              "if there are sources that no rule asks for; ignore: they are not built; refuse: no rule gives points",
              one_of<ExtraFiles>(), "ignore"),
          optional("duplicate",
                   "if two files are one variant; first: the first by name counts; refuse: no rule gives points",
                   one_of<DuplicateFiles>(), "refuse"),
      });
}

Schema late() {
  return map(
      "late",
      {
          optional("deadline", "for students without one in the roster, for example 2026-11-20T23:59+01:00", text()),
          optional("grace", "a submission is in time until this long after the deadline", duration()),
          optional("per_day", "the share of the points that each started day after the deadline costs", ratio()),
          optional("cut_off", "this long after the deadline a submission gets no points", duration()),
      });
}

}  // namespace

std::span<const RuleKind> rule_kinds() { return rule_table(); }

const RuleKind* find_rule_kind(std::string_view name) {
  for (const RuleKind& kind : rule_table())
    if (kind.name == name) return &kind;
  return nullptr;
}

schema::Schema grade_table() {
  return map(
      "grade",
      {required("rules", "what gives points; tables show the rules in this order", list(rule(), 1)),
       optional("files", "what happens with missing, misnamed, extra and duplicate files", files()),
       optional("late", "what submissions after the deadline lose", late()),
       optional("attempts", "which of the submissions 1, 2, ... of a student counts", one_of<Attempts>(), "last"),
       optional("sanitize", "also run CPU variants with gcc's sanitizers, and show what these report to the student",
                truth(), true)});
}

}  // namespace harness
