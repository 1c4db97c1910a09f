#include "harness/engine/known_cases.h"

#include <fmt/format.h>

#include "harness/base/hash.h"
#include "harness/base/text.h"
#include "harness/engine/compare.h"
#include "harness/engine/sanitized_look.h"

namespace harness {
namespace {

// Raise it when the way of measuring changes or when derive_metrics() gains a metric, so that no old case is reused.
constexpr int measuring_version = 36;

// The content that decides whether a stored case can be reused for this one.
std::string run_key(const PlacedLab& lab, const CaseState& state) {
  const Case& c = *state.plan;
  const MeasurePolicy& p = lab.config.measure;
  const auto blob = c.problem->blob();
  Hash hash;
  hash.add(fmt::format("{}", measuring_version)).add(state.build->result.key).add(lab.kernel->name());
  hash.add(to_string(c.dtype)).add({reinterpret_cast<const char*>(blob.data()), blob.size()});
  hash.add(fmt::format("{} {} {} {} {} {} {} {}", c.threads, p.precision, p.max_time_s, p.min_batch_ms, p.min_samples,
                       p.max_samples, static_cast<int>(p.gpu_cache), static_cast<int>(p.cpu_cache)));
  if (p.drop_slower) hash.add("drop slower");
  const Resources& r = lab.config.resources;
  hash.add(fmt::format("{} {} {} {} {}", r.case_s, r.memory_mib, r.processes, r.file_mib, r.output_kib));
  for (const auto& [name, value] : state.build->scalars) hash.add(name).add(fmt::format("{}", std::get<double>(value)));
  hash.add(lab.sandbox->identity()).add(lab.forbids(*state.build->variant) ? join(lab.config.forbid, " ") : "").add(fmt::format("{}", lab.config.least_shapes));
  if (!lab.options.wrap.empty()) hash.add("wrapped").add(join(lab.options.wrap, " "));
  if (wants_sanitized_look(lab, *state.build)) hash.add("looked at with sanitizers");
  if (lab.emulates(*state.build->variant))
    hash.add("emulated").add(emulated_options(lab.options.device));
  else if (!lab.options.sanitize.empty())
    hash.add("sanitized");
  else if (lab.only_builds(*state.build->variant))
    hash.add("only built");
  else if (state.build->variant->gpu)
    hash.add(lab.gpu->uuid).add(lab.gpu->driver);
  else
    hash.add(lab.machine.cpu.model).add(fmt::format("{}", lab.machine.cpu.cores));
  return hash.hex().substr(0, 32);
}

// These verdicts follow from the content alone. The others may have been the fault of the machine, or are found again
// in a short time.
bool can_be_reused(Status status) {
  switch (status) {
    case Status::PASSED:
    case Status::WRONG:
    case Status::OUT_OF_BOUNDS:
    case Status::INPUT_MODIFIED:
      return true;
    default:
      return false;
  }
}

}  // namespace

Done find_known_cases(const PlacedLab& lab, Store& store, Cases& cases) {
  const bool again = lab.options.known == Known::time_compared && lab.config.grade;
  const std::vector<std::string> timed_again = again ? compared_variants(lab.config) : std::vector<std::string>();
  for (CaseState& s : cases.all) {
    if (!s.build || s.build->result.key.empty()) continue;
    s.record.build_key = s.build->result.key;
    s.record.run_key = run_key(lab, s);
    if (lab.options.known == Known::measure_again) continue;
    TRY_ASSIGN(auto found, store.find_case(s.record.run_key));
    if (!found || !can_be_reused(found->status)) continue;
    // A budget ends sampling early: such samples are not reused in a run without one.
    if (!lab.options.budget_s && found->stop_reason == StopReason::budget) continue;
    found->order = s.record.order;
    found->id = s.record.id;
    found->sweep = s.record.sweep;
    found->axes = s.record.axes;
    found->variant = s.record.variant;
    found->owner = s.record.owner;
    forget_comparisons(*found);
    found->notes.insert(found->notes.end(), s.record.notes.begin(), s.record.notes.end());
    if (contains(timed_again, s.plan->variant) && !found->samples_ms.empty()) s.planned = std::move(s.record);
    s.record = *std::move(found);
    s.known = true;
  }
  return ok();
}

}  // namespace harness
