#include "harness/engine/groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "harness/base/interrupt.h"
#include "harness/base/text.h"
#include "harness/engine/check_build.h"
#include "harness/engine/check_case.h"
#include "harness/engine/compare.h"
#include "harness/engine/occupancy.h"
#include "harness/machine/gpu_watch.h"

namespace harness {
namespace {

// Outputs at full size are checked before timing if that takes less than this share of a case's time. Otherwise only
// the outputs of timed calls are checked.
constexpr double own_check_share = 0.25;
// The largest problem that is drawn near a case, if the variant is fast enough: so large that it takes the path that it takes for
// the case.
constexpr double most_near_flops = 2e10;
constexpr double most_sanitized_s = 1;  // a call with a sanitizer takes ten times as long

void emit_check(const CaseState& s, double limit_s, const Cases& cases, const Recorder& recorder) {
  recorder.emit(event::CheckStarted{s.record.id, limit_s, cases.recorded(), cases.all.size()});
}

double longest_check_s(const PlacedLab& lab, double max_s) {
  return lab.options.sanitize.empty() ? own_check_share / 2 * max_s : most_sanitized_s;
}

std::string_view bytes_of(const Problem& problem) {
  return {reinterpret_cast<const char*>(problem.blob().data()), problem.blob().size()};
}

/// The problems of hidden cases, without those that a case which students see has too.
std::set<std::string_view> secret_problems(const Cases& cases, const GradeRules& grade) {
  std::set<std::string_view> secret, seen;
  for (const CaseState& s : cases.all) {
    if (!contains(grade.submitted(), s.plan->variant)) continue;
    const bool hidden = grade.hides(s.plan->variant, s.plan->sweep, s.plan->axes);
    (hidden ? secret : seen).insert(bytes_of(*s.plan->problem));
  }
  std::erase_if(secret, [&](std::string_view problem) { return seen.contains(problem); });
  return secret;
}

}  // namespace

std::vector<Group> group_cases(Cases& cases, const Config& config) {
  std::map<std::string, size_t> index;
  std::vector<Group> groups;
  for (CaseState& s : cases.all) {
    if (!s.build) continue;
    const std::string key =
        fmt::format("{}|{}|{}|{}|{}", s.plan->sweep, s.plan->threads, to_string(s.plan->dtype), s.build->variant->gpu,
                    bytes_of(*s.plan->problem));
    const auto [at, is_new] = index.try_emplace(key, groups.size());
    if (is_new) groups.emplace_back();
    groups[at->second].push_back(&s);
  }
  const auto secret = config.grade ? secret_problems(cases, *config.grade) : std::set<std::string_view>();
  const auto order = [&](const Group& g) {
    const bool no_baseline =
        std::none_of(g.begin(), g.end(), [&](const CaseState* s) { return s->record.variant == config.baseline; });
    return std::tuple(secret.contains(bytes_of(*g.front()->plan->problem)), g.front()->record.flops, no_baseline);
  };
  std::stable_sort(groups.begin(), groups.end(), [&](const Group& a, const Group& b) { return order(a) < order(b); });
  return groups;
}

void check_builds(const PlacedLab& lab, Cases& cases, Sessions& sessions, Recorder& recorder) {
  for (const CaseState& s : cases.all) {
    if (interrupted()) return;
    if (!s.build || s.known || s.build->check || s.build->failed || !can_run(lab, *s.build)) continue;
    Session& session = sessions.of(*s.build);
    session.expect(Session::Problems::small);
    emit_check(s, session.call_limit_s(), cases, recorder);
    check_build(lab, session);
  }
}

// It was checked, and is not timed.
void GroupRunner::finish(CaseState& s, Note why) {
  s.evidence.finished = true;
  s.record.notes.push_back(std::move(why));
}

// Checks the case at its own size, unless that takes too long. False: there is nothing to time.
bool GroupRunner::check(CaseState& s, double max_s) {
  Build& build = *s.build;
  if (!build.result.error.empty()) s.evidence.build_error = build.result.error;
  s.evidence.cannot_run = why_not_run(lab_, build);
  if (!can_run(lab_, build)) return false;
  if (!build.check && !build.failed) check_build(lab_, sessions_.of(build));  // a second time
  if (build.check) {
    const CheckRecord& check = s.record.check = *build.check;
    if (check.left_out > 0)
      s.record.notes.push_back({NoteCode::shapes_left_out, {{"shapes", int64_t{check.shapes}},
                                                            {"all", int64_t{check.shapes + check.left_out}}}});
  }
  s.record.diagnostics = build.diagnostics;
  if (build.failed) {
    s.evidence.failure = *build.failed;
    // An interrupt says nothing about the build. After an out-of-memory kill it is not known which process needed the
    // memory: the build gets a second chance.
    const Status status = build.failed->status;
    const bool first_kill = status == Status::OUT_OF_MEMORY && !std::exchange(build.killed_once, true);
    if (status == Status::CANCELLED || first_kill) build.failed.reset();
    return false;
  }
  sessions_.of(build).make_room(s.largest_bytes);
  if (lab_.emulates(*build.variant)) {
    const std::vector<Diagnostic> before = build.diagnostics;
    const auto wrong = check_emulated_case(lab_, sessions_.of(build), s.plan->problem, s.record.check);
    s.record.diagnostics = std::exchange(build.diagnostics, before);
    if (wrong)
      s.evidence.failure = *wrong;
    else
      finish(s, {NoteCode::emulated});
    return false;
  }
  if (too_long(lab_, s)) {
    s.evidence.cannot_run = fmt::format("one call takes about {}, longer than --longest-call allows ({})",
                                        human_time(estimated_call_s(s)), human_time(*lab_.options.longest_call_s));
    return false;
  }
  const bool sanitizes = !lab_.options.sanitize.empty();
  const bool has_own_check =
      sanitizes || estimated_call_s(s) + estimated_check_s(*s.plan->problem) <= longest_check_s(lab_, max_s);
  Session& session = sessions_.of(build);
  Tried<Unit> right = Unit{};
  if (has_own_check)
    right = check_case(session, s.plan->problem, s.record.check, estimated_call_s(s));
  else
    s.record.notes.push_back({NoteCode::checked_by_timed_output});
  if (right) right = check_near(s, max_s);  // the case's own call has shown how fast the variant is
  if (!right) s.evidence.failure = right.error();
  if (!right || !sanitizes) return bool(right);
  finish(s, {NoteCode::sanitized, {{"sanitizer", lab_.options.sanitize}}});
  return false;
}

// Does nothing if the variant is about as fast as when it was called last.
Tried<Unit> GroupRunner::check_near(CaseState& s, double max_s) {
  constexpr double much_faster = 1.5;
  const double affordable = s.record.flops * std::min(1.0, longest_check_s(lab_, max_s) / estimated_call_s(s));
  const double most_flops = std::min(affordable, most_near_flops);
  if (most_flops < much_faster * s.near_flops) return Unit{};
  s.near_flops = most_flops;
  return check_neighbours(lab_, sessions_.of(*s.build), s.plan->problem, most_flops, s.record.check);
}

Done GroupRunner::time(std::vector<TimedCase>& timed, double max_s) {
  event::TimingStarted started{{}, cases_.recorded(), cases_.all.size(), estimated_left_s(lab_, cases_, max_s)};
  for (const TimedCase& t : timed) started.ids.push_back(t.state->record.id);
  recorder_.emit(started);
  GpuWatch watch(timed.front().state->record.gpu);
  time_group(lab_, idle_, watch, timed);
  const auto throttled = watch.throttled();
  // A variant that was slow only in the checks was checked only on small problems.
  for (TimedCase& t : timed)
    if (t.state->evidence.finished)
      if (const auto right = check_near(*t.state, max_s); !right) t.state->fail(right.error());
  for (TimedCase& t : timed) {
    CaseState& s = *t.state;
    if (s.evidence.finished) {
      if (const MachineLimit* limit = beaten_limit(limits_, s)) TRY(measure_again(lab_, *limit, limits_, recorder_));
      derive_metrics(limits_, s);
      if (s.evidence.spread) s.evidence.spread->precision = lab_.config.measure.precision;
      derive_share_at_clock(lab_.machine, s.record);
      s.evidence.throttled = throttled;
    }
  }
  return ok();
}

void GroupRunner::compare(const Group& group) {
  const Config& config = lab_.config;
  derive_speedups(config.baseline, group, baseline_elsewhere(config.baseline, cases_.all, *group.front()));
  derive_vendor_share(config.vendors, group);
  for (CaseState* s : group) {
    if (lab_.recorded) derive_recorded_speedup(*lab_.recorded, s->record);
    derive_efficiency(config, s->record);
  }
}

void GroupRunner::note_printed(CaseState& s) {
  const bool failed = s.evidence.failure || info(s.record.status).fails;
  const std::string fresh = sessions_.newly_printed_by(s.build);  // also taken for a failed case: else the next one would show it
  const std::string output = failed ? sessions_.printed_by(s.build) : s.evidence.finished ? fresh : "";
  if (!output.empty()) s.record.notes.push_back({NoteCode::printed, {{"output", output}}});
}

// Again before each group: rates of small problems say little about those of large ones.
void GroupRunner::warn_of_budget() {
  if (warned_) return;
  auto too_short = budget_.too_short(lab_, cases_);
  warned_ = too_short.has_value();
  if (too_short) recorder_.emit(event::Warning{*std::move(too_short)});
}

Done GroupRunner::run(const Group& group) {
  warn_of_budget();
  const double max_s = budget_.per_case_s(lab_.config.measure.max_time_s, remaining(lab_, cases_));
  std::vector<TimedCase> timed;
  const auto prepare = [&](CaseState& s) {
    if (s.known || interrupted()) return;
    emit_check(s, sessions_.of(*s.build).call_limit_s(), cases_, recorder_);
    if (check(s, max_s)) timed.push_back({&s, &sessions_.of(*s.build), max_s});
  };
  for (CaseState* s : group) prepare(*s);
  if (!timed.empty())
    for (CaseState* s : group)
      if (s->planned) {
        s->record = *std::exchange(s->planned, {});
        s->known = false;
        prepare(*s);
      }
  if (!timed.empty() && !interrupted()) TRY(time(timed, max_s));
  TRY(sessions_.check_machine());
  for (CaseState* s : group) {
    if (s->known) continue;
    s->conclude();
    note_printed(*s);
  }
  compare(group);
  for (CaseState* s : group)
    if (s->record.status != Status::CANCELLED) TRY(recorder_.finish(*s, cases_));
  sessions_.end_unneeded(cases_);
  return ok();
}

}  // namespace harness
