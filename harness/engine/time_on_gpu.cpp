// Times a GPU variant by the events that its worker reports. Each call gets new data, which the device draws (device/
// refresh.h), and returns a fingerprint of its output. Only then the harness decides whether it fetches that output. At
// the end it compares the events with its own clock. docs/trust.md says what this can and cannot find.
#include <fmt/format.h>

#include <utility>

#include "harness/base/interrupt.h"
#include "harness/base/random.h"
#include "harness/base/stopwatch.h"
#include "harness/base/text.h"
#include "harness/engine/case_timer.h"
#include "harness/engine/check_call.h"

namespace harness {
namespace {

constexpr double long_call_ms = 10;

class GpuTimer : public CaseTimer {
 public:
  GpuTimer(const PlacedLab& lab, TimedCase& timed, Inputs& inputs, ReturnedRegions returned, IdleControl& idle)
      : CaseTimer(lab, timed, inputs, std::move(returned)), idle_(idle) {}

  Tried<Unit> finish() override;

 private:
  Tried<double> first_call_ms() override {
    TRY_ASSIGN(const Answered first, session().run(cache_of(lab_), {Data::Kind::fresh, secret_bits()}, 0));
    return first.first_ms;
  }
  Tried<double> call() override;
  Tried<Unit> before_batch() override;
  Tried<CheckLine> check_last_call() override;
  Tried<Unit> time_copies_back();
  Tried<Unit> compare_clocks();
  Tried<Unit> call_beside_control(double reported_ms);
  Failure accused(const char* text, const DeviceCall& call) const {
    return {Status::SUSPECT,
            fmt::format(fmt::runtime(text), human_time(call.claimed_ms * 1e-3), human_time(call.outside_ms * 1e-3))};
  }

  IdleControl& idle_;
  uint64_t salt_ = 0;  // of the last call
  std::vector<DeviceCall> calls_;
};

Tried<double> GpuTimer::call() {
  salt_ = secret_bits();
  TRY_ASSIGN(const Answered made, session().run(cache_of(lab_), {Data::Kind::fresh, salt_}, expected_s(1)));
  const DeviceCall call{made.claimed_ms, made.outside_ms};
  ++calls_made_;
  calls_.push_back(call);
  // The worker cannot have computed for longer than the harness waited.
  if (call.claimed_ms <= 0 || call.claimed_ms > call.outside_ms * 1.001 + 0.02)
    return accused("it reports {} for a call that took {}", call);
  if (draws_check()) TRY(check());
  return call.claimed_ms;
}

// Before, the device was another variant's: the first call waits for it, up to some hundreds of microseconds longer than
// a call of the idle control. So it is no sample, unless that is little beside a call.
Tried<Unit> GpuTimer::before_batch() {
  if (passed_ms == 0 || passed_ms > long_call_ms) return Unit{};
  TRY(call());
  calls_.pop_back();
  return Unit{};
}

// After a check, so that the first copy back, into memory that nobody has touched, is not a sample. Nobody looks at what
// these copies bring: the check has fetched the output already.
Tried<Unit> GpuTimer::time_copies_back() {
  std::vector<double> out_ms;
  StopRule copies = rule_of_copies();
  const Stopwatch watch;
  do {
    TRY_ASSIGN(const Fetched fetched, session().fetch());
    out_ms.push_back(fetched.out_ms);
  } while (copies.add(out_ms.back(), watch.s()) == StopReason::none && !interrupted());
  note_metric(MetricName::d2h_ms, out_ms);
  return Unit{};
}

// The harness draws the data of the call again, so that it knows what the output must be.
Tried<CheckLine> GpuTimer::check_last_call() {
  TRY(session().fetch_output_of_call(returned()));
  const auto fresh = inputs().refreshed(salt_);
  if (!fresh) return Failure{Status::OUT_OF_MEMORY, fresh.error().message};
  return check_timed_output(*fresh, returned(), session().build().precision);
}

Tried<Unit> GpuTimer::compare_clocks() {
  const double reported_ms = summarize(record().samples_ms).median;
  for (int i = 1;; ++i) {
    const auto idle = idle_.device_calls(inputs());
    if (!idle) {
      record().notes.push_back({NoteCode::overhead_unknown});
      return Unit{};
    }
    const auto hidden = hidden_in_calls(calls_, reported_ms, *idle);
    if (!hidden) return Unit{};
    if (i == most_controls) return accused("it reports {} per call, but a call takes {}", *hidden);
    TRY(call_beside_control(reported_ms));
  }
}

// The samples are older than the control, and the machine may have been slower then. So the variant is called again, as
// for its samples. If it does not report such short times any more, its earlier calls decide.
Tried<Unit> GpuTimer::call_beside_control(double reported_ms) {
  const std::vector<DeviceCall> earlier = std::exchange(calls_, {});
  const Stopwatch watch;
  do {
    TRY(batch(calls));
  } while (calls_.size() < calls_beside_control && watch.s() < calls_beside_control_s && !interrupted());
  if (!claims_again(calls_, reported_ms)) calls_ = earlier;
  return Unit{};
}

Tried<Unit> GpuTimer::finish() {
  if (!checked()) TRY(check());
  TRY(make_checked_call());
  TRY(compare_clocks());
  TRY(time_copies_back());
  record_check(fmt::format("{} of {} calls as a whole", checks_, calls_made_));
  return Unit{};
}

}  // namespace

std::unique_ptr<CaseTimer> gpu_timer(const PlacedLab& lab, TimedCase& timed, Inputs& inputs, ReturnedRegions returned,
                                     IdleControl& idle) {
  return std::make_unique<GpuTimer>(lab, timed, inputs, std::move(returned), idle);
}

}  // namespace harness
