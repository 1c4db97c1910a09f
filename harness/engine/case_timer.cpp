#include "harness/engine/case_timer.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "harness/base/interrupt.h"
#include "harness/base/random.h"
#include "harness/base/text.h"
#include "harness/engine/check_build.h"

namespace harness {
namespace {

// One batch in three is checked, as long as the checks take no more than this share of the time of the batches.
constexpr uint64_t one_batch_in = 3;
constexpr double check_share = 0.05;
// If clocks seem to differ, they are compared again on longer batches, to which a busy machine adds little.
constexpr size_t audits = 12, few_audits = 3, fewest_audits = 3;
constexpr double audit_times = 16, audit_ms = 30;
constexpr double audit_beside_ms = 100;
constexpr int few_calls = 4;
constexpr double several_calls_ms = 12;  // much longer than a batch waits on a busy machine
// Clocks of a device are always compared on batches of this length: shorter ones could hide as much time between calls.
constexpr double device_audit_ms = 12;

void note_unverified(CaseRecord& record, const Note& note) {
  if (std::none_of(record.notes.begin(), record.notes.end(), is_unverified_time)) record.notes.push_back(note);
}

}  // namespace

protocol::Cache cache_of(const PlacedLab& lab) {
  return lab.config.measure.gpu_cache == MeasurePolicy::Cache::cold ? protocol::Cache::cold : protocol::Cache::hot;
}

double mean(const std::vector<double>& v) {
  double sum = 0;
  for (const double x : v) sum += x;
  return sum / static_cast<double>(v.size());
}

CaseTimer::CaseTimer(const PlacedLab& lab, TimedCase& timed, const Inputs& inputs, ReturnedRegions returned,
                     const std::optional<Overhead>& overhead, RunIdle run_idle)
    : rule({lab.config.measure.precision, lab.config.measure.min_samples, lab.config.measure.max_samples, timed.max_s}),
      lab_(lab),
      timed_(&timed),
      inputs_(inputs),
      returned_(std::move(returned)),
      overhead_(overhead),
      run_idle_(std::move(run_idle)),
      check_s_(estimated_check_s(inputs.problem())) {}

void CaseTimer::fail(const Failure& failure) {
  active = false;
  timed_->state->evidence.failure = failure;
  record().samples_ms.clear();
  record().rounds.clear();
  record().warmup_ms.clear();
  record().metrics.clear();
}

void CaseTimer::note_metric(MetricName name, double value) {
  Metric m;
  m.median = value;
  m.n = 1;
  record().metrics.emplace_back(name, m);
}

Tried<Batch> CaseTimer::run(int count) {
  const double rate = session().build().flops_per_s;
  TRY_ASSIGN(Batch b, session().run(count, cache_of(lab_), {Data::Kind::fresh, secret_bits()},
                                    rate > 0 ? count * inputs_.problem().flops() / rate : 0));
  const double said_ms = b.claimed_ms();
  // The worker cannot have computed for longer than the harness waited.
  if (!std::isfinite(said_ms) || said_ms <= 0 || said_ms > b.outside_ms * 1.001 + 0.02)
    return Failure{Status::SUSPECT, fmt::format("it reports {} for a batch that took {}", human_time(said_ms * 1e-3),
                                                human_time(b.outside_ms * 1e-3))};
  run_s_ += b.outside_ms * 1e-3;
  unchecked_ = b;
  return b;
}

ClockVerdict CaseTimer::compare(const std::vector<ClockedBatch>& batches, const Overhead& overhead) {
  return session().gpu() ? compare_device_clocks(batches, overhead)
                         : compare_clocks(batches, overhead, session().build().threads);
}

ClockedBatch CaseTimer::clocked(const Batch& b) const {
  return {b.calls, b.claimed_ms(), b.outside_ms, timed_->session->gpu() ? 0 : b.cpu_ms};
}

Tried<double> CaseTimer::batch(int count) {
  // A variant that counts its calls must not know which call is the last.
  const uint64_t secret = secret_bits();
  if (count > 1)
    count = std::min<int>(LAB_MAX_CALLS, count + static_cast<int>(secret % static_cast<uint64_t>(count / 4 + 2)));
  TRY_ASSIGN(const Batch b, run(count));
  spent_s += b.outside_ms * 1e-3;
  passed_ms = b.outside_ms / count;
  clocked_.push_back(clocked(b));
  if (worth_checking() && (secret >> 32) % one_batch_in == 0) TRY(check(b));
  return mean(b.call_ms);
}

bool CaseTimer::worth_checking() const { return checks_s_ + check_s_ <= check_share * run_s_; }

// The harness makes the data of the batch's last call again, so that it knows what the output must be.
Tried<Unit> CaseTimer::check(const Batch& batch) {
  const auto start = std::chrono::steady_clock::now();
  TRY_ASSIGN(const Fetched fetched, fetch());
  if (session().gpu() && !record().check.timed_output) note_metric(MetricName::d2h_ms, fetched.out_ms);
  const auto precision = find_precision(session().build().variant->precision, inputs_.problem().dtype());
  if (!precision) return Failure{Status::COMPILE_ERROR, precision.error().message};
  const auto fresh = inputs_.refreshed(batch.salt, batch.calls - 1, session().gpu() ? Touched::yes : Touched::no);
  if (!fresh) return Failure{Status::OUT_OF_MEMORY, fresh.error().message};
  TRY_ASSIGN(const CheckLine line, check_one_output(timed_output, *fresh, returned_, *precision));
  if (!record().check.timed_output || line.worst_ratio > checked_.worst_ratio) checked_ = line;
  record().check.timed_output = true;
  check_s_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  checks_s_ += check_s_;
  unchecked_.reset();
  return Unit{};
}

Tried<Fetched> CaseTimer::fetch() {
  TRY_ASSIGN(const Fetched fetched, session().take_output(returned_));
  if (!session().gpu()) return fetched;
  if (first_fetch_ms_)
    fetch_ms_ = std::min(fetched.outside_ms, fetch_ms_.value_or(fetched.outside_ms));
  else
    first_fetch_ms_ = fetched.outside_ms;
  return fetched;
}

// Compares the clocks over several batches, with the least overhead of the idle control.
Tried<ClockVerdict> CaseTimer::look(int count, size_t most) {
  std::vector<ClockedBatch> batches;
  const double until_s = run_s_ + max_s();
  while (batches.size() < most && (batches.size() < fewest_audits || run_s_ < until_s) && !interrupted()) {
    TRY_ASSIGN(const Batch b, run(count));
    batches.push_back(clocked(b));
  }
  return compare(batches, *overhead_);
}

// If the clocks differ: compares them with the overhead of the idle control now. A busy machine, or a host that takes
// the virtual machine's processors away, delays both.
Tried<Unit> CaseTimer::audit_beside(int count, ClockVerdict::By doubted_by) {
  std::vector<ClockedBatch> batches, beside;
  double all_ms = 0;
  const double until_s = run_s_ + max_s();
  const auto wanted = [&] {
    return (batches.size() < audits || all_ms < audit_beside_ms) &&
           (batches.size() < fewest_audits || run_s_ < until_s) && !interrupted();
  };
  while (wanted()) {
    TRY_ASSIGN(const Batch b, run(count));
    batches.push_back(clocked(b));
    all_ms += b.outside_ms;
    const auto nothing = run_idle_(count);
    if (!nothing) {
      note_unverified(record(), {NoteCode::overhead_unknown});
      return Unit{};
    }
    beside.push_back(*nothing);
  }
  const Overhead now = overhead_now(beside);
  const ClockVerdict verdict = compare(batches, now);
  // The wall time of a single call says too little.
  if (verdict.by == ClockVerdict::By::wall && count < calls) return Unit{};
  if (verdict.by == ClockVerdict::By::none) {
    // With more calls, a variant that reports too little has more to hide. A busy machine does not.
    const double times = audit_ms * static_cast<double>(batches.size()) / all_ms;
    const int more = static_cast<int>(std::min<double>(times * count, LAB_MAX_CALLS));
    if (more > 2 * count) return audit_beside(more, doubted_by);
    const bool processor = doubted_by == ClockVerdict::By::processor;
    const double before_ms = processor ? overhead_->cpu_ms(count) : overhead_->ms(count);
    const double now_ms = processor ? now.batch_cpu_ms : now.batch_ms;
    note_unverified(record(), {NoteCode::machine_busy, {{"now_ms", now_ms}, {"usual_ms", before_ms}}});
    return Unit{};
  }
  const std::string said = human_time(verdict.said_ms * 1e-3), seen = human_time(verdict.seen_ms * 1e-3);
  return Failure{Status::SUSPECT, verdict.by == ClockVerdict::By::processor
                                      ? fmt::format("it reports {} per call, but it computes for {}", said, seen)
                                      : fmt::format("it reports {} per call, but a call takes {}", said, seen)};
}

Tried<Unit> CaseTimer::audit(int count) {
  TRY_ASSIGN(const ClockVerdict verdict, look(count, audits));
  return verdict.by == ClockVerdict::By::none ? Unit{} : audit_beside(count, verdict.by);
}

Tried<Unit> CaseTimer::compare_cpu_clocks() {
  if (!overhead_) {
    note_unverified(record(), {NoteCode::overhead_unknown});
    return Unit{};
  }
  if (session().gpu()) return compare_gpu_clocks();
  // A variant that computes once per batch, after the last call, has less to hide in a short batch.
  if (calls > 1) {
    TRY_ASSIGN(const ClockVerdict verdict, look(1, few_audits));
    // The wall time of a single call says too little.
    if (verdict.by == ClockVerdict::By::processor) TRY(audit(1));
  }
  // It reports short calls, but so much time passes between them that a batch has few: more calls have more to hide.
  if (calls <= few_calls && clocked_.back().claimed_ms < lab_.config.measure.min_batch_ms / 2) {
    const int several = std::clamp(static_cast<int>(several_calls_ms / passed_ms), 2, LAB_MAX_CALLS);
    TRY_ASSIGN(const ClockVerdict verdict, look(several, few_audits));
    if (verdict.by != ClockVerdict::By::none) return audit(several);
  }
  const ClockVerdict verdict = doubt_clocks(clocked_, *overhead_, session().build().threads);
  if (verdict.by == ClockVerdict::By::none) return Unit{};
  // A busy machine gets a second chance. A variant that waits in the middle of a call looks the same, therefore
  // processor time is compared on short batches, in which nothing waits.
  if (verdict.by == ClockVerdict::By::processor) return audit(calls);
  const ClockedBatch& last = clocked_.back();
  const double more = std::min(audit_times, audit_ms / last.claimed_ms);
  return audit(std::clamp(static_cast<int>(more * last.calls), calls, LAB_MAX_CALLS));
}

// If the clocks agree, few batches are enough, because the time of a device is steady.
Tried<Unit> CaseTimer::compare_gpu_clocks() {
  const ClockedBatch& last = clocked_.back();
  const bool long_enough = last.outside_ms >= device_audit_ms;
  if (long_enough && compare(clocked_, *overhead_).by == ClockVerdict::By::none) return Unit{};
  const auto more = static_cast<int>(std::ceil(device_audit_ms / last.outside_ms * last.calls));
  const int count = long_enough ? calls : std::clamp(more, calls, LAB_MAX_CALLS);
  if (!long_enough) {
    TRY_ASSIGN(const ClockVerdict verdict, look(count, few_audits));
    if (verdict.by == ClockVerdict::By::none) return Unit{};
  }
  return audit(count);
}

// A variant that computes when the output is fetched delays it every time.
Tried<Unit> CaseTimer::compare_fetches() {
  if (!overhead_ || !first_fetch_ms_) return Unit{};
  const auto took_ms = [&] { return fetch_ms_ ? *fetch_ms_ : *first_fetch_ms_; };
  const auto enough_ms = [&] { return fetch_ms_ ? overhead_->fetch_ms : overhead_->first_fetch_ms; };
  const auto late = [&] { return comes_late(took_ms(), enough_ms()); };
  for (size_t i = 0; i < audits && late() && !interrupted(); ++i) {
    TRY(run(1));
    TRY(fetch());
  }
  if (!late()) return Unit{};
  return Failure{Status::SUSPECT, fmt::format("its output takes {} to come back, but {} are enough",
                                              human_time(took_ms() * 1e-3), human_time(enough_ms() * 1e-3))};
}

Tried<Unit> CaseTimer::finish() {
  TRY(compare_cpu_clocks());
  if (unchecked_) TRY(check(*std::exchange(unchecked_, {})));
  TRY(compare_fetches());
  record().check.lines.push_back(checked_);
  return Unit{};
}

}  // namespace harness
