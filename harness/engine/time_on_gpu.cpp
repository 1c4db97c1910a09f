// Times a GPU variant by the events that its worker reports. Each call gets new data, which the device draws (device/
// refresh.h). At the end the harness compares the events with its own clock.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/base/interrupt.h"
#include "harness/base/random.h"
#include "harness/base/text.h"
#include "harness/engine/case_timer.h"
#include "harness/engine/check_build.h"

namespace harness {
namespace {

constexpr uint64_t one_batch_in = 3;     // is checked, while there is time for it
constexpr int most_batch_calls = 32;           // in a batch: the cache is flushed before each call
constexpr double longest_batches = 50;   // wall time of a batch, in units of the wanted time
constexpr double compared_ms = 60;       // so that a clock that is 30 % fast exceeds what a batch may take (hidden_work.cpp)
constexpr size_t few_batches = 3, most_batches = 12;

double mean(const std::vector<double>& v) {
  double sum = 0;
  for (const double x : v) sum += x;
  return sum / static_cast<double>(v.size());
}

class GpuTimer : public CaseTimer {
 public:
  GpuTimer(const PlacedLab& lab, TimedCase& timed, Inputs& inputs, ReturnedRegions returned, IdleControl& idle)
      : CaseTimer(lab, timed, inputs, std::move(returned)), idle_(idle) {}

  Tried<double> batch(int count) override;
  int calls_for_batch(double call_ms) const override;
  Tried<Unit> finish() override;

 private:
  Tried<Batch> run(int count);
  Tried<Unit> check_last_call(const Batch& batch);
  Tried<Unit> compare_clocks();

  IdleControl& idle_;
  Tried<Fetched> fetch();

  int batches_ = 0;
  std::vector<double> out_ms_;
  double fetches_s_ = 0;
  std::optional<Batch> unchecked_;  // the last batch, if its output was not checked
};

// The batch is filled by the time that the worker reports, but within bounds, because that time may be wrong.
int GpuTimer::calls_for_batch(double call_ms) const {
  const double target_ms = lab_.config.measure.min_batch_ms;
  const double wanted = std::min(target_ms / call_ms, longest_batches * target_ms / passed_ms);
  return std::clamp(static_cast<int>(std::ceil(wanted)), 1, most_batch_calls);
}

Tried<Batch> GpuTimer::run(int count) {
  TRY_ASSIGN(Batch b, session().run(count, cache_of(lab_), {Data::Kind::fresh, secret_bits()}, expected_s(count)));
  const double said_ms = b.claimed_ms();
  // The worker cannot have computed for longer than the harness waited.
  if (!std::isfinite(said_ms) || said_ms <= 0 || said_ms > b.outside_ms * 1.001 + 0.02)
    return Failure{Status::SUSPECT, fmt::format("it reports {} for a batch that took {}", human_time(said_ms * 1e-3),
                                                human_time(b.outside_ms * 1e-3))};
  run_s_ += b.outside_ms * 1e-3;
  ++batches_;
  unchecked_ = b;
  return b;
}

Tried<double> GpuTimer::batch(int count) {
  // A variant that counts its calls must not know which call is the last.
  const uint64_t secret = secret_bits();
  if (count > 1)
    count = std::min<int>(LAB_MAX_CALLS, count + static_cast<int>(secret % static_cast<uint64_t>(count / 4 + 2)));
  TRY_ASSIGN(const Batch b, run(count));
  spent_s += b.outside_ms * 1e-3;
  passed_ms = b.outside_ms / count;
  if (worth_checking() && (secret >> 32) % one_batch_in == 0) TRY(check_last_call(b));
  return mean(b.call_ms);
}

Tried<Fetched> GpuTimer::fetch() {
  TRY_ASSIGN(const Fetched fetched, session().fetch());
  out_ms_.push_back(fetched.out_ms);
  fetches_s_ += fetched.outside_ms * 1e-3;
  return fetched;
}

// The harness draws the data of the batch's last call again, so that it knows what the output must be.
Tried<Unit> GpuTimer::check_last_call(const Batch& batch) {
  TRY_ASSIGN(const Precision precision, declared_precision(session().build()));
  TRY(fetch());
  const auto fresh = inputs().refreshed(batch.salt, batch.calls - 1);
  if (!fresh) return Failure{Status::OUT_OF_MEMORY, fresh.error().message};
  unchecked_.reset();
  return check(*fresh, precision);
}

Tried<Unit> GpuTimer::compare_clocks() {
  const auto wanted = static_cast<int>(std::ceil(compared_ms / passed_ms));
  const int count = std::clamp(wanted, calls, LAB_MAX_CALLS);
  std::vector<DeviceBatch> batches, idle;
  std::optional<LateBy> computed, fetched;
  while (batches.size() < most_batches && !interrupted()) {
    TRY_ASSIGN(const Batch b, run(count));
    TRY_ASSIGN(const Fetched output, fetch());
    batches.push_back({count, b.claimed_ms(), b.outside_ms, output.outside_ms});
    const auto nothing = idle_.batch(inputs(), count);
    if (!nothing) {
      record().notes.push_back({NoteCode::overhead_unknown});
      return Unit{};
    }
    idle.push_back(*nothing);
    if (batches.size() < few_batches) continue;
    computed = hidden_in_batches(batches, idle);
    fetched = hidden_in_fetches(batches, idle);
    if (!computed && !fetched) return Unit{};
  }
  const auto sentence = [](const char* text, const LateBy& late) {
    return Failure{Status::SUSPECT, fmt::format(fmt::runtime(text), human_time(late.said_ms * 1e-3),
                                                human_time(late.seen_ms * 1e-3))};
  };
  if (computed) return sentence("it reports {} per call, but a call takes {}", *computed);
  if (fetched) return sentence("{} are enough to fetch its output, but that takes {}", *fetched);
  return Unit{};
}

Tried<Unit> GpuTimer::finish() {
  if (unchecked_) TRY(check_last_call(*std::exchange(unchecked_, {})));
  TRY(compare_clocks());
  while (out_ms_.empty() || wants_more(out_ms_.size(), fetches_s_)) TRY(fetch());
  note_metric(MetricName::d2h_ms, out_ms_);
  record_check(fmt::format("the last calls of {} of {} batches", checks_, batches_));
  return Unit{};
}

}  // namespace

std::unique_ptr<CaseTimer> gpu_timer(const PlacedLab& lab, TimedCase& timed, Inputs& inputs, ReturnedRegions returned,
                                     IdleControl& idle) {
  return std::make_unique<GpuTimer>(lab, timed, inputs, std::move(returned), idle);
}

}  // namespace harness
