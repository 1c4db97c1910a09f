#include "harness/engine/lane.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "harness/base/interrupt.h"
#include "harness/base/random.h"
#include "harness/base/text.h"
#include "harness/engine/prove.h"

namespace harness {
namespace {

// One batch in so many is proved, as long as proofs take no more than this share of the time of the batches.
constexpr uint64_t one_batch_in = 3;
constexpr double proof_share = 0.05;
// A second look at clocks that seem to differ: at time that passes in longer batches, to which a busy machine
// adds little.
constexpr size_t audits = 12, few_audits = 3, fewest_audits = 3;
constexpr double audit_times = 16, audit_ms = 30;
constexpr double audit_beside_ms = 100;
constexpr int few_calls = 4;
constexpr double several_calls_ms = 12;  // well beyond what a busy machine makes a batch wait
// A device is always looked at in batches of this length: shorter ones could hide as much beside the calls.
constexpr double device_audit_ms = 12;

void note_once(CaseRecord& record, const Note& note) {
  if (std::none_of(record.notes.begin(), record.notes.end(), is_unverified_time)) record.notes.push_back(note);
}

}  // namespace

protocol::Cache cache_of(const Context& context) {
  return context.config.measure.gpu_cache == MeasurePolicy::Cache::cold ? protocol::Cache::cold
                                                                        : protocol::Cache::hot;
}

double mean(const std::vector<double>& v) {
  double sum = 0;
  for (const double x : v) sum += x;
  return sum / static_cast<double>(v.size());
}

Lane::Lane(const Context& context, Timed& timed, const Inputs& inputs, Returned returned,
           const std::optional<Overhead>& overhead, RunIdle run_idle)
    : rule({context.config.measure.precision, context.config.measure.min_samples,
            context.config.measure.max_samples, timed.cap_s}),
      context_(context),
      timed_(&timed),
      inputs_(inputs),
      returned_(std::move(returned)),
      overhead_(overhead),
      run_idle_(std::move(run_idle)),
      proof_s_(foreseen_proof_s(inputs.problem())) {}

void Lane::fail(const Failure& failure) {
  active = false;
  timed_->state->evidence.failure = failure;
  record().samples_ms.clear();
  record().rounds.clear();
  record().warmup_ms.clear();
  record().metrics.clear();
}

void Lane::note_metric(MetricName name, double value) {
  Metric m;
  m.median = value;
  m.n = 1;
  record().metrics.emplace_back(name, m);
}

Tried<Batch> Lane::run(int count) {
  const double rate = session().target().flops_per_s;
  TRY_ASSIGN(Batch b, session().run(count, cache_of(context_), {Data::Kind::fresh, secret_bits()},
                                    rate > 0 ? count * inputs_.problem().flops() / rate : 0));
  const double said_ms = b.claimed_ms();
  // What the worker says cannot be longer than what passed here.
  if (!std::isfinite(said_ms) || said_ms <= 0 || said_ms > b.outside_ms * 1.001 + 0.02)
    return Failure{Status::SUSPECT, fmt::format("its clock says {} where {} passed outside",
                                                human_time(said_ms * 1e-3), human_time(b.outside_ms * 1e-3))};
  run_s_ += b.outside_ms * 1e-3;
  unproved_ = b;
  return b;
}

ClockVerdict Lane::compare(const std::vector<ClockedBatch>& batches, const Overhead& overhead) {
  return session().gpu() ? compare_device_clocks(batches, overhead)
                         : compare_clocks(batches, overhead, session().target().threads);
}

ClockedBatch Lane::clocked(const Batch& b) const {
  return {b.calls, b.claimed_ms(), b.outside_ms, timed_->session->gpu() ? 0 : b.cpu_ms};
}

Tried<double> Lane::batch(int count) {
  // A variant that counts its calls must not know which is the last.
  const uint64_t secret = secret_bits();
  if (count > 1)
    count =
        std::min<int>(LAB_MAX_CALLS, count + static_cast<int>(secret % static_cast<uint64_t>(count / 4 + 2)));
  TRY_ASSIGN(const Batch b, run(count));
  spent_s += b.outside_ms * 1e-3;
  passed_ms = b.outside_ms / count;
  clocked_.push_back(clocked(b));
  if (worth_proving() && (secret >> 32) % one_batch_in == 0) TRY(prove(b));
  return mean(b.call_ms);
}

bool Lane::worth_proving() const { return proofs_s_ + proof_s_ <= proof_share * run_s_; }

// The data of the batch's last call, made again on this side, tells what the output must be.
Tried<Unit> Lane::prove(const Batch& batch) {
  const auto start = std::chrono::steady_clock::now();
  TRY_ASSIGN(const Fetched fetched, fetch());
  if (session().gpu() && !record().check.timed_output) note_metric(MetricName::d2h_ms, fetched.out_ms);
  const auto precision = find_precision(session().target().variant->precision, inputs_.problem().dtype());
  if (!precision) return Failure{Status::COMPILE_ERROR, precision.error().message};
  const auto fresh = inputs_.refreshed(batch.salt, batch.calls - 1, session().gpu() ? Touched::yes : Touched::no);
  if (!fresh) return Failure{Status::OUT_OF_MEMORY, fresh.error().message};
  TRY_ASSIGN(const CheckLine line, check_one_output(timed_output, *fresh, returned_, *precision));
  if (!record().check.timed_output || line.worst_ratio > proved_.worst_ratio) proved_ = line;
  record().check.timed_output = true;
  proof_s_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  proofs_s_ += proof_s_;
  unproved_.reset();
  return Unit{};
}

Tried<Fetched> Lane::fetch() {
  TRY_ASSIGN(const Fetched fetched, session().take_output(returned_));
  if (!session().gpu()) return fetched;
  if (first_fetch_ms_)
    fetch_ms_ = std::min(fetched.outside_ms, fetch_ms_.value_or(fetched.outside_ms));
  else
    first_fetch_ms_ = fetched.outside_ms;
  return fetched;
}

// Do the clocks agree on so many batches, as far as one that computes nothing was seen to need at best?
Tried<ClockVerdict> Lane::look(int count, size_t most) {
  std::vector<ClockedBatch> batches;
  const double until_s = run_s_ + cap_s();
  while (batches.size() < most && (batches.size() < fewest_audits || run_s_ < until_s) && !interrupted()) {
    TRY_ASSIGN(const Batch b, run(count));
    batches.push_back(clocked(b));
  }
  return compare(batches, *overhead_);
}

// And where they do not: as far as one needs that computes nothing in between? What a machine takes from a variant it
// takes from that one too, be it that others are busy or that a virtual machine's host has no processor for it.
Tried<Unit> Lane::audit_beside(int count, ClockVerdict::By doubted_by) {
  std::vector<ClockedBatch> batches, beside;
  double all_ms = 0;
  const double until_s = run_s_ + cap_s();
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
      note_once(record(), {NoteCode::overhead_unknown});
      return Unit{};
    }
    beside.push_back(*nothing);
  }
  const Overhead now = overhead_now(beside);
  const ClockVerdict verdict = compare(batches, now);
  // What passes beside a single call is too little to tell by.
  if (verdict.by == ClockVerdict::By::wall && count < calls) return Unit{};
  if (verdict.by == ClockVerdict::By::none) {
    // Whoever says less than a call takes has the more to hide the more calls there are; a machine has not.
    const double times = audit_ms * static_cast<double>(batches.size()) / all_ms;
    const int more = static_cast<int>(std::min<double>(times * count, LAB_MAX_CALLS));
    if (more > 2 * count) return audit_beside(more, doubted_by);
    const bool processor = doubted_by == ClockVerdict::By::processor;
    const double before_ms = processor ? overhead_->cpu_ms(count) : overhead_->ms(count);
    const double now_ms = processor ? now.batch_cpu_ms : now.batch_ms;
    note_once(record(), {NoteCode::machine_busy, {{"now_ms", now_ms}, {"usual_ms", before_ms}}});
    return Unit{};
  }
  const std::string said = human_time(verdict.said_ms * 1e-3), seen = human_time(verdict.seen_ms * 1e-3);
  return Failure{Status::SUSPECT,
                 verdict.by == ClockVerdict::By::processor
                     ? fmt::format("its clock says {} a call, but it computes for {}", said, seen)
                     : fmt::format("its clock says {} a call where {} pass outside", said, seen)};
}

Tried<Unit> Lane::audit(int count) {
  TRY_ASSIGN(const ClockVerdict verdict, look(count, audits));
  return verdict.by == ClockVerdict::By::none ? Unit{} : audit_beside(count, verdict.by);
}

Tried<Unit> Lane::hold_clocks_together() {
  if (!overhead_) {
    note_once(record(), {NoteCode::overhead_unknown});
    return Unit{};
  }
  if (session().gpu()) return hold_device_clocks_together();
  // A variant that computes once a batch, after its last call, has as little to hide as the batch has calls.
  if (calls > 1) {
    TRY_ASSIGN(const ClockVerdict verdict, look(1, few_audits));
    // What passes beside a single call is too little to tell by.
    if (verdict.by == ClockVerdict::By::processor) TRY(audit(1));
  }
  // So much passes beside its calls that batches have few, though it claims to be short: more have more to hide.
  if (calls <= few_calls && clocked_.back().claimed_ms < context_.config.measure.min_batch_ms / 2) {
    const int several = std::clamp(static_cast<int>(several_calls_ms / passed_ms), 2, LAB_MAX_CALLS);
    TRY_ASSIGN(const ClockVerdict verdict, look(several, few_audits));
    if (verdict.by != ClockVerdict::By::none) return audit(several);
  }
  const ClockVerdict verdict = doubt_clocks(clocked_, *overhead_, session().target().threads);
  if (verdict.by == ClockVerdict::By::none) return Unit{};
  // A busy machine gets the chance to clear the variant. Whoever waits in the middle of a call claims that,
  // too: batches in which none waits, short ones, tell most of processor time.
  if (verdict.by == ClockVerdict::By::processor) return audit(calls);
  const ClockedBatch& last = clocked_.back();
  const double more = std::min(audit_times, audit_ms / last.claimed_ms);
  return audit(std::clamp(static_cast<int>(more * last.calls), calls, LAB_MAX_CALLS));
}

// Few batches are enough where they agree: the time that a device takes is steady.
Tried<Unit> Lane::hold_device_clocks_together() {
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

// Whoever computes when the output is asked for makes it late, every time.
Tried<Unit> Lane::hold_fetches_together() {
  if (!overhead_ || !first_fetch_ms_) return Unit{};
  const auto took_ms = [&] { return fetch_ms_ ? *fetch_ms_ : *first_fetch_ms_; };
  const auto enough_ms = [&] { return fetch_ms_ ? overhead_->fetch_ms : overhead_->first_fetch_ms; };
  const auto late = [&] { return comes_late(took_ms(), enough_ms()); };
  for (size_t i = 0; i < audits && late() && !interrupted(); ++i) {
    TRY(run(1));
    TRY(fetch());
  }
  if (!late()) return Unit{};
  return Failure{Status::SUSPECT, fmt::format("its output takes {} to come back, where {} are enough",
                                              human_time(took_ms() * 1e-3), human_time(enough_ms() * 1e-3))};
}

Tried<Unit> Lane::finish() {
  TRY(hold_clocks_together());
  if (unproved_) TRY(prove(*std::exchange(unproved_, {})));
  TRY(hold_fetches_together());
  record().check.lines.push_back(proved_);
  return Unit{};
}

}  // namespace harness
