#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "harness/base/interrupt.h"
#include "harness/base/text.h"
#include "harness/engine/budget.h"
#include "harness/engine/compare.h"
#include "harness/engine/gpu_watch.h"
#include "harness/engine/metrics.h"
#include "harness/engine/occupancy.h"
#include "harness/engine/prove.h"
#include "harness/engine/run.h"
#include "harness/engine/seen.h"
#include "harness/engine/time_group.h"

namespace harness {
namespace {

// Until a target has run: slow enough to be careful.
constexpr double unknown_cpu_rate = 5e8, unknown_gpu_rate = 5e11;
// A proof at full size before timing is worth this share of a case's time; beyond it the timed output is the
// proof.
constexpr double proof_share = 0.25;

using Group = std::vector<CaseState*>;

// Verdicts on the content alone. The others may have been the machine's fault, or are cheap to see again.
bool holds_again(Status status) {
  switch (status) {
    case Status::PASSED:
    case Status::WRONG:
    case Status::OUT_OF_BOUNDS:
    case Status::INPUT_MODIFIED:
    case Status::MISTRUSTED:
      return true;
    default:
      return false;
  }
}

class GroupRunner {
 public:
  explicit GroupRunner(Context& context)
      : context_(context), budget_(context.options->budget_s), idle_(context) {}

  Done run_all() {
    std::vector<Group> groups = group();
    if (context_.recorded) note_missing(*context_.recorded, context_.cases);
    TRY(look_up());
    TRY(find_limits(context_, open() > 0 ? Probing::where_needed : Probing::known_only));
    // All shapes first: what cannot pass is not timed, and the budget knows what it has to share out.
    for (const auto& target : context_.targets)
      if (needed(*target) && !interrupted()) prove_shapes_of(*target);
    for (Group& g : groups) {
      if (interrupted()) break;
      TRY(run(g));
      end_idle_sessions();
    }
    return ok();
  }

 private:
  // Cases of one sweep, problem and thread count are compared. Cheap groups first: their rates foretell the
  // others'.
  std::vector<Group> group() {
    std::map<std::string, size_t> index;
    std::vector<Group> groups;
    for (CaseState& s : context_.cases) {
      if (!s.target) continue;
      const auto blob = s.plan->problem->blob();
      const std::string key = fmt::format("{}|{}|{}|{}|", s.plan->sweep, s.plan->threads,
                                          to_string(s.plan->dtype), s.target->variant->gpu) +
                              std::string(reinterpret_cast<const char*>(blob.data()), blob.size());
      const auto [at, fresh] = index.try_emplace(key, groups.size());
      if (fresh) groups.emplace_back();
      groups[at->second].push_back(&s);
    }
    // Of equal ones those with the baseline: groups on another device are compared with it.
    const auto others = [&](const Group& g) {
      return std::none_of(g.begin(), g.end(),
                          [&](const CaseState* s) { return s->record.variant == context_.config.baseline; });
    };
    std::stable_sort(groups.begin(), groups.end(), [&](const Group& a, const Group& b) {
      return std::pair(a[0]->record.flops, others(a)) < std::pair(b[0]->record.flops, others(b));
    });
    return groups;
  }

  Session& session(Target& target) {
    auto& s = sessions_[&target];
    if (!s) s = std::make_unique<Session>(context_, target);
    return *s;
  }

  // A worker lives as long as cases of its target are open.
  void end_idle_sessions() {
    std::erase_if(sessions_, [&](const auto& entry) {
      return std::none_of(context_.cases.begin(), context_.cases.end(),
                          [&](const CaseState& s) { return s.target == entry.first && !s.finished; });
    });
  }

  double call_s(const CaseState& s) const {
    if (s.target->flops_per_s <= 0)
      return s.record.flops / (s.target->variant->gpu ? unknown_gpu_rate : unknown_cpu_rate);
    // On a GPU small problems tell nothing but the launch latency.
    if (s.target->variant->gpu) return s.record.flops / std::max(s.target->flops_per_s, unknown_gpu_rate);
    // Rates fall as data outgrows the caches: a fifth for each eightfold problem is what the CPU labs show.
    const double steps = std::max(0.0, std::log2(s.record.flops / s.target->rate_flops) / 3);
    return s.record.flops / s.target->flops_per_s * std::pow(1.2, steps);
  }

  bool to_measure(const CaseState& s) const {
    return s.target && !s.finished && !known_.count(&s) && !context_.emulates(*s.target->variant) &&
           !context_.only_builds(*s.target->variant);
  }

  // What all open cases cost at least: one call each, and starting up. Rates at larger sizes disappoint more
  // often than they please: a share is added.
  double must_s() const {
    double sum = 0;
    for (const CaseState& s : context_.cases)
      if (to_measure(s)) sum += 1.6 * call_s(s) + 0.01;
    return sum;
  }
  int open() const {
    int count = 0;
    for (const CaseState& s : context_.cases) count += to_measure(s);
    return count;
  }

  // From the store, if the same content was measured before.
  Result<bool> known(CaseState& s) {
    s.record.build_key = s.target->build.key;
    if (s.target->build.key.empty()) return false;
    s.record.run_key = run_key(context_, s);
    if (context_.options->known == Known::measure_again) return false;
    TRY_ASSIGN(const auto found, context_.store->find_case(s.record.run_key));
    if (!found || !holds_again(found->status)) return false;
    // Samples cut short by a budget do not stand for a run without one.
    if (!budget_.limited() && found->stop_reason == StopReason::budget) return false;
    CaseRecord mine = *found;
    mine.order = s.record.order;
    mine.id = s.record.id;
    mine.sweep = s.record.sweep;
    mine.axes = s.record.axes;
    mine.variant = s.record.variant;
    forget_comparisons(mine);
    mine.notes.insert(mine.notes.end(), s.record.notes.begin(), s.record.notes.end());
    s.record = mine;
    return true;
  }

  Axes scalars(const CaseState& s) const {
    Axes found;
    for (const auto& [name, value] : s.plan->parameters)
      if (std::holds_alternative<double>(value)) found.emplace_back(name, value);
    return found;
  }

  // A failed assertion says on stderr what no status can.
  void note_printed(CaseState& s) {
    const auto at = sessions_.find(s.target);
    if (at == sessions_.end() || at->second->printed().empty()) return;
    s.record.notes.push_back({NoteCode::printed, {{"output", printable(trim(at->second->printed()), 2000)}}});
  }

  void fail(CaseState& s, const Failure& failure) {
    s.evidence.failure = failure;
    note_printed(s);
  }

  // Cases that the store knows.
  Done look_up() {
    for (CaseState& s : context_.cases) {
      if (!s.target) continue;
      TRY_ASSIGN(const bool reused, known(s));
      if (reused) known_.insert(&s);
    }
    return ok();
  }
  bool needed(const Target& target) const {
    return std::any_of(context_.cases.begin(), context_.cases.end(),
                       [&](const CaseState& s) { return s.target == &target && !known_.count(&s); });
  }

  bool runs(const Target& target) const {
    return target.build.error.empty() && !context_.only_builds(*target.variant);
  }

  void prove_shapes_of(Target& target) {
    if (!runs(target)) return;
    for (const CaseState& s : context_.cases)
      if (s.target == &target) {
        context_.emit("check",
                      {{"id", s.record.id}, {"done", context_.done()}, {"of", context_.cases.size()}});
        return prove_shapes(context_, session(target), scalars(s));
      }
  }

  // This case's size, unless one call is too dear. False: there is nothing to time.
  bool prove(CaseState& s, double cap_s) {
    Target& target = *s.target;
    if (!target.build.error.empty()) s.evidence.build_error = target.build.error;
    s.evidence.cannot_run = context_.only_builds(*target.variant);
    if (!runs(target)) return false;
    if (!target.shapes && !target.failed) prove_shapes_of(target);  // killed before it had proved them
    if (target.shapes) s.record.check = *target.shapes;
    s.record.diagnostics = target.diagnostics;
    if (target.failed) {
      fail(s, *target.failed);
      // Interrupted is not a verdict on the target, and who killed it first is not known: a second time it was the
      // target.
      const Status status = target.failed->status;
      const bool first_kill = status == Status::OUT_OF_MEMORY && doubted_.insert(&target).second;
      if (status == Status::CANCELLED || first_kill) target.failed.reset();
      return false;
    }
    if (context_.emulates(*target.variant)) {
      s.evidence.finished = true;
      s.record.notes.push_back({NoteCode::emulated});
      return false;
    }
    if (2 * (call_s(s) + foreseen_proof_s(*s.plan->problem)) > proof_share * cap_s) {
      s.record.notes.push_back({NoteCode::checked_by_timed_output});
      return true;
    }
    const auto precision = find_precision(target.variant->precision, target.dtype);
    const auto proved = prove_case(session(target), s.plan->problem, *precision, s.record.check, call_s(s));
    if (!proved) fail(s, proved.error());
    return bool(proved);
  }

  Done run(Group& group) {
    std::vector<CaseState*> fresh;
    for (CaseState* s : group)
      if (!known_.count(s)) fresh.push_back(s);
    const double cap_s = budget_.per_case_s(context_.config.measure.max_time_s, must_s(), open());
    std::vector<Timed> timed;
    for (CaseState* s : fresh) {
      if (interrupted()) break;
      context_.emit("check",
                    {{"id", s->record.id}, {"done", context_.done()}, {"of", context_.cases.size()}});
      if (prove(*s, cap_s)) timed.push_back({s, &session(*s->target), cap_s});
    }
    if (!timed.empty() && !interrupted()) {
      nlohmann::json ids = nlohmann::json::array();
      for (const Timed& t : timed) ids.push_back(t.state->record.id);
      context_.emit("measure", {{"ids", ids},
                                {"done", context_.done()},
                                {"of", context_.cases.size()},
                                {"left_s", left_s(cap_s)}});
      GpuWatch watch(timed.front().state->record.gpu);
      time_group(context_, idle_, timed, budget_);
      const auto throttled = watch.throttled();
      for (Timed& t : timed) {
        if (t.state->evidence.finished) {
          if (const MachineLimit* limit = beaten_limit(context_, *t.state)) TRY(measure_again(context_, *limit));
          derive_metrics(context_, *t.state);
          t.state->evidence.throttled = throttled;
        }
        t.state->conclude();
        if (info(t.state->record.status).fails) note_printed(*t.state);
      }
    }
    for (CaseState* s : fresh) s->conclude();
    compare(group);
    for (CaseState* s : group) {
      if (s->record.status == Status::CANCELLED) continue;
      TRY(context_.store->record_case(context_.run_id, s->record));
      nlohmann::json fields = to_json(s->record);
      for (const char* bulky : {"samples_ms", "rounds", "warmup_ms"}) fields.erase(bulky);
      s->finished = true;
      fields["done"] = context_.done();
      fields["of"] = context_.cases.size();
      context_.emit("case", fields);
    }
    return ok();
  }

  void compare(const Group& group) {
    const Config& config = context_.config;
    derive_speedups(config.baseline, group,
                    baseline_elsewhere(config.baseline, context_.cases, *group.front()));
    derive_vendor_share(config.vendors, group);
    for (CaseState* s : group) {
      if (context_.recorded) derive_recorded_speedup(*context_.recorded, s->record);
      derive_efficiency(config, s->record);
    }
  }

  // A guess for the progress line: the plateau of most cases comes well before the cap.
  double left_s(double cap_s) const {
    double sum = 0;
    for (const CaseState& s : context_.cases)
      if (to_measure(s)) sum += std::min(cap_s, 30 * call_s(s)) + 2 * call_s(s);
    return sum;
  }

  Context& context_;
  Budget budget_;
  Idle idle_;
  std::map<Target*, std::unique_ptr<Session>> sessions_;
  std::set<const CaseState*> known_;
  std::set<const Target*> doubted_;  // killed once while their shapes were proved
};

}  // namespace

Done run_groups(Context& context) { return GroupRunner(context).run_all(); }

}  // namespace harness
