#include "harness/engine/run.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/base/interrupt.h"
#include "harness/base/process.h"
#include "harness/base/random.h"
#include "harness/base/stopwatch.h"
#include "harness/base/text.h"
#include "harness/check/check.h"
#include "harness/claims/answer.h"
#include "harness/engine/build_all.h"
#include "harness/engine/compare.h"
#include "harness/engine/counts.h"
#include "harness/engine/groups.h"
#include "harness/engine/keep_sources.h"
#include "harness/engine/known_cases.h"
#include "harness/machine/noise.h"
#include "harness/machine/timing_lock.h"
#include "harness/python/reports.h"

namespace harness {
namespace {

// Nothing that the check says counts if it accepts a wrong kernel or refuses a right one.
Done check_the_check(const PlacedLab& lab, Recorder& recorder) {
  recorder.emit(event::PhaseStarted{event::Phase::self_test});
  const SelfTest test = self_test(*lab.kernel, lab.config.dtype, secret_bits());
  recorder.run().selftest = test;
  TRY(recorder.save());
  if (!test.accepts_reference)
    return Error{fmt::format("the check refuses a right kernel, so its results cannot be trusted; please report this: {}",
                             test.refused),
                 ExitCode::machine};
  if (test.rejected() == static_cast<int>(test.rows.size())) return ok();
  std::vector<std::string> accepted;
  for (const SelfTest::Row& row : test.rows)
    if (!row.rejected) accepted.push_back(row.name);
  return Error{fmt::format("the check does not reject a wrong kernel, so its results cannot be trusted; please report this: {}",
                           join(accepted, ", ")),
               ExitCode::machine};
}

Done build_check_and_time(const PlacedLab& lab, Cases& cases, Recorder& recorder) {
  TRY(check_the_check(lab, recorder));
  TRY(build_all(lab, cases, recorder));
  TRY_ASSIGN(KeptSources kept, keep_sources(lab, cases));
  recorder.run().sources = std::move(kept.files);
  for (const std::string& file : kept.too_large)
    recorder.emit(event::Warning{fmt::format("{} is larger than 1 MiB: the run does not keep it, and a bundle will lack it", file)});
  TRY(recorder.save());
  if (interrupted()) return ok();
  Budget budget(lab.options.budget_s);
  const std::vector<Group> groups = group_cases(cases, lab.config);
  if (lab.recorded) note_missing(*lab.recorded, cases.all);
  TRY(find_known_cases(lab, recorder.store(), cases));
  const auto lock_times = [&] {
    const Stopwatch waiting;
    TimingLock lock = TimingLock::take(
        [&] { recorder.emit(event::Warning{"another run takes times on this machine: waiting", true}); });
    budget.add_wait(waiting.s());
    return lock;
  };
  auto times = std::make_unique<TimingLock>(lock_times());
  TRY_ASSIGN(MachineLimits limits, find_limits(lab, cases, recorder));
  times.reset();
  Sessions sessions(lab);
  check_builds(lab, cases, sessions, recorder);
  TRY(sessions.check_machine());
  GroupRunner runner(lab, cases, sessions, limits, budget, recorder);
  for (const Group& group : groups) {
    const TimingLock group_times = lock_times();
    if (!interrupted()) TRY(runner.run(group));
  }
  return ok();
}

// Cases of groups that were not run. Of some an earlier run gives the result.
Done record_rest(Cases& cases, Recorder& recorder) {
  for (CaseState& s : cases.all) {
    if (s.recorded) continue;
    if (!s.known) s.conclude();
    TRY(recorder.record(s));
  }
  return ok();
}

std::vector<const CaseRecord*> records_of(const Cases& cases) {
  std::vector<const CaseRecord*> records;
  for (const CaseState& s : cases.all) records.push_back(&s.record);
  return records;
}

bool one_fails(const std::vector<ClaimRecord>& claims) {
  return std::ranges::any_of(claims, [](const auto& claim) { return claim.measured.answer == ClaimAnswer::FAILS; });
}

event::RunStarted started(const PlacedLab& lab, const Cases& cases, const Recorder& recorder) {
  event::RunStarted event{recorder.run_id(),
                          lab.config.lab,
                          lab.config.title,
                          recorder.folder().string(),
                          cases.all.size(),
                          cases.builds.size(),
                          {}};
  for (const CaseState& s : cases.all)
    if (s.record.status == Status::SKIPPED) ++event.skipped[s.record.reason];
  return event;
}

}  // namespace

Result<RunSummary> run_lab(const RunOptions& options, EventSink& events) {
  TRY(allow_open_files());
  TRY_ASSIGN(Lab loaded, load_lab(options));
  TRY_ASSIGN(const PlacedLab lab, place_lab(std::move(loaded), Purpose::run));
  TRY_ASSIGN(Cases cases, select_cases(lab));
  TRY_ASSIGN(Recorder recorder, Recorder::begin(lab, cases, events));
  for (CaseState& s : cases.all)
    if (s.record.status == Status::SKIPPED) TRY(recorder.record(s));
  recorder.emit(started(lab, cases, recorder));
  if (auto busy = busy_machine(*recorder.run().noise.before, lab.machine.cpu.cores))
    recorder.emit(event::Warning{*std::move(busy)});
  const Stopwatch watch;
  const Done measured = build_check_and_time(lab, cases, recorder);
  TRY(record_rest(cases, recorder));
  recorder.run().claims = answer_claims(lab.config, records_of(cases), lab.published);
  RunSummary summary{recorder.run_id(), recorder.folder(), count(cases)};
  summary.exit = exit_code(summary.counts, cases);
  if (options.fail_on == FailOn::claims && summary.exit == ExitCode::ok && one_fails(recorder.run().claims))
    summary.exit = ExitCode::variant_failed;
  TRY(recorder.end(lab, cases, summary.counts.cancelled || !measured));
  TRY(measured);
  std::string report_error;
  if (options.render && !interrupted()) {
    recorder.emit(event::PhaseStarted{event::Phase::report});
    if (const Done rendered = render_report(lab.root, summary.folder); !rendered) {
      report_error = rendered.error().message;
      if (summary.exit == ExitCode::ok || interrupted()) summary.exit = rendered.error().exit;
    }
  }
  const double seconds = watch.s();
  if (!recorder.run().claims.empty()) recorder.emit(event::ClaimsAnswered{recorder.run().claims});
  recorder.emit(event::RunEnded{summary.run_id, summary.folder.string(), summary.counts, seconds,
                                options.budget_s.value_or(0), shortest_calls_s(cases), options.render, report_error});
  return summary;
}

}  // namespace harness
