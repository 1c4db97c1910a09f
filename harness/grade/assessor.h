// One kind of rule: one file, which registers itself at its end. harness/config/grade_table.cpp has the keys of the
// kind.
#pragma once

#include "harness/base/registry.h"
#include "harness/grade/points.h"

namespace harness {

/// What a rule looks at.
struct RuleView {
  const Rule& rule;
  const GradeRules& grade;
  const RunRecord* run = nullptr;        // not null if the rule has a variant
  std::vector<const CaseRecord*> cases;  // not empty if the rule has a variant
};

class Assessor {
 public:
  virtual ~Assessor() = default;
  virtual std::string_view kind() const = 0;
  /// Sets earned, open, why and next.
  virtual void assess(const RuleView& view, Award& award) const = 0;
};

/// The output was right, whatever the time.
bool is_right(const CaseRecord& record);
/// True if the submission has a variant of this name. Then nothing is relative to the lab's reference.
bool is_replaced(const RunRecord& run, const std::string& reference);
/// It was not run: the machine cannot run it, or somebody interrupted the run.
bool is_undecided(const CaseRecord& record);
/// A person must decide what it is worth: the output was right, and the time cannot be true.
bool is_doubted(const CaseRecord& record);
/// The variant says that it does not support the problem. That gives no points.
bool is_declined(const CaseRecord& record);
/// "cpu_avx size=64"
std::string short_name(const CaseRecord& record);
/// The reason of a case that failed, for a person: one paragraph, with the first mistake that the emulated device saw.
std::string what_is_wrong(const CaseRecord& record);
/// A case of the same variant that is wrong or declined, else one that a person must decide about, or null. A rule that students
/// see does not look at cases that they must not know: its points would say whether these are right.
const CaseRecord* first_failure(const RuleView& view);
/// True if a case of the variant is not right: then neither its times nor its claims give points. `what`: "speed".
bool blocked(const RuleView& view, Award& award, const std::string& what);

}  // namespace harness
