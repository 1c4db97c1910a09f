// Times a CPU variant from outside. Each call gets new data, which the harness draws into the worker's memory. The
// harness releases the call, waits for the answer, and reads its own clock at both. docs/trust.md says what this can
// and cannot find.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <numeric>
#include <thread>

#include "harness/base/interrupt.h"
#include "harness/base/parallel.h"
#include "harness/base/random.h"
#include "harness/base/stopwatch.h"
#include "harness/base/text.h"
#include "harness/client/flush.h"
#include "harness/engine/case_timer.h"
#include "harness/engine/check_call.h"

namespace harness {
namespace {

constexpr int looked_lines = 5;  // rows and columns: of each call, the 25 cells where they cross
// Calls that are shorter than this, in units of the overhead, are measured only roughly. How long it takes to wake up
// scatters.
constexpr double times_overhead = 20, times_overhead_asleep = 100;

// Cells of the output, drawn for one call.
class Cells {
 public:
  Cells(const Problem& problem, uint64_t secret)
      : spec_(problem.output()), width_(static_cast<int64_t>(size_of(problem.dtype()))) {
    for (uint64_t i = 0; i < looked_lines; ++i) {
      rows.push_back(static_cast<int64_t>(random_bits(secret, 2 * i) % static_cast<uint64_t>(spec_.rows)));
      cols.push_back(static_cast<int64_t>(random_bits(secret, 2 * i + 1) % static_cast<uint64_t>(spec_.cols)));
    }
    for (auto* lines : {&rows, &cols}) {
      std::sort(lines->begin(), lines->end());
      lines->erase(std::unique(lines->begin(), lines->end()), lines->end());
    }
    order_.resize(rows.size() * cols.size());
    std::iota(order_.begin(), order_.end(), size_t{0});
    shuffle(order_, ~secret);  // other numbers than those of rows and cols
  }
  /// In an order that a variant does not know: it might compute the cells that are read last after its answer.
  void read(const std::byte* output, std::byte* to) const {
    for (const size_t i : order_) {
      const int64_t row = rows[i / cols.size()], col = cols[i % cols.size()];
      std::memcpy(to + i * static_cast<size_t>(width_), output + (row * spec_.ld + col) * width_, static_cast<size_t>(width_));
    }
  }
  size_t bytes() const { return rows.size() * cols.size() * static_cast<size_t>(width_); }

  std::vector<int64_t> rows, cols;

 private:
  const BufferSpec& spec_;
  int64_t width_;
  std::vector<size_t> order_;
};

constexpr std::chrono::milliseconds busy_for{30};  // another process may disturb the variant, and not the control

class CpuTimer : public CaseTimer {
 public:
  CpuTimer(const PlacedLab& lab, TimedCase& timed, Inputs& inputs, ReturnedRegions returned, IdleControl& idle)
      : CaseTimer(lab, timed, inputs, std::move(returned)), idle_(idle) {}

  Tried<Unit> finish() override;

 private:
  Tried<double> first_call_ms() override;
  Tried<double> call() override;
  Tried<CheckLine> check_last_call() override {
    return check_timed_output(inputs(), returned(), session().build().precision);
  }
  struct OneCall {
    TimedCall timed;
    double reported_ms, more_ms;
    Cells cells;
    std::vector<std::byte> seen;  // what they held at once
  };
  void measure_overhead();
  Tried<OneCall> make_call();
  Tried<OneCall> call_and_read();
  Tried<Unit> unchanged(const OneCall& one);
  Tried<Unit> look(const OneCall& one);
  Tried<Unit> find_hidden_work();
  Tried<TimeBeside> call_again();

  IdleControl& idle_;
  std::optional<IdleCall> overhead_;  // of a call that computes nothing; nothing: could not be measured
  TimeBeside beside_;
};

void CpuTimer::measure_overhead() {
  if (overhead_) return;
  if (const auto measured = idle_.call_of_group(inputs(), session().build().threads)) overhead_ = *measured;
}

Tried<double> CpuTimer::first_call_ms() {
  measure_overhead();
  TRY_ASSIGN(const OneCall one, make_call());
  TRY(look(one));
  return one.reported_ms;
}

Tried<double> CpuTimer::call() {
  measure_overhead();
  TRY_ASSIGN(const OneCall one, make_call());
  beside_.add(one.timed, one.reported_ms, one.more_ms);
  ++calls_made_;
  TRY(look(one));
  if (draws_check() || (calls_made_ == 1 && is_only_call(one.reported_ms))) TRY(check());
  return one.reported_ms;
}

// Draws new data, times one call on them, and reads some cells of its output at once. Then the worker is paused:
// nothing computes while the harness looks.
Tried<CpuTimer::OneCall> CpuTimer::make_call() {
  const auto one = call_and_read();
  session().pause();
  return one;
}

Tried<CpuTimer::OneCall> CpuTimer::call_and_read() {
  Cells cells(inputs().problem(), secret_bits());
  std::vector<std::byte> seen(cells.bytes());
  const bool cold = lab_.config.measure.cpu_cache == MeasurePolicy::CpuCache::cold;
  const WriteData when = when_to_write(lab_, inputs());
  const Inputs::CopyTo to = cold ? Inputs::CopyTo::memory : Inputs::CopyTo::caches;
  if (when != WriteData::worker_sleeps) inputs().draw_hidden(secret_bits());
  AroundCall around{when};
  around.write = [&] {
    if (when == WriteData::worker_sleeps)
      inputs().redraw_partly(secret_bits(), static_cast<size_t>(last_bytes(lab_)));
    else
      inputs().show_outputs();
    returned().reset(inputs());
    if (cold) flush_from_caches(returned().output());
    if (when != WriteData::worker_sleeps) return inputs().show(Inputs::Show::larger_inputs, to);
    if (!cold) return;
    for (const Region& region : inputs().regions()) flush_from_caches(region);
  };
  around.write_last = [&] { inputs().show(Inputs::Show::smallest_input, to); };
  around.read = [&] { cells.read(returned().output().data(), seen.data()); };
  TRY_ASSIGN(const TimedCall timed, session().timed_call(around, expected_s(1)));
  const double more_ms = late_ms(timed.wake_ms, timed.touch_ms, timed.read_ms, overhead_);
  const double reported_ms = without_overhead_ms(timed.call_ms, overhead_) + more_ms;
  return OneCall{timed, reported_ms, more_ms, std::move(cells), std::move(seen)};
}

// What was read at once is still there.
Tried<Unit> CpuTimer::unchanged(const OneCall& one) {
  std::vector<std::byte> now(one.cells.bytes());
  one.cells.read(returned().output().data(), now.data());
  if (now == one.seen) return Unit{};
  return Failure{Status::MISTRUSTED,
                 fmt::format("{} changed after the call had returned: did it answer before it had finished, or does a thread go on?",
                             inputs().problem().output().name)};
}

// Before and after it compares, the cells must be those that were read at once: a thread of a worker that could not be
// paused might put right values there only while the harness compares.
Tried<Unit> CpuTimer::look(const OneCall& one) {
  TRY(session().wait_until_paused());
  TRY(unchanged(one));
  const Problem& problem = inputs().problem();
  const std::byte* output = returned().output().data();
  const CheckResult result = check_some_cells(problem, inputs().fill(), inputs().pristine(), output,
                                              session().build().precision, one.cells.rows, one.cells.cols);
  if (result.right) return unchanged(one);
  return Failure{Status::WRONG, fmt::format("output of a timed call, on {}: {}", problem.label(), result.message)};
}

// With one thread, processor time shows work between the calls. Several threads may spin there, as those of many
// libraries do.
Tried<Unit> CpuTimer::find_hidden_work() {
  if (session().build().threads > 1) return Unit{};
  const double call_ms = summarize(record().samples_ms).median;
  const Summary beside = beside_.beside_calls(call_ms);
  if (beside.n == 0) return Unit{};
  double beside_ms = beside.q1;
  const auto hides = [&](const IdleCall& idle) {
    return hidden_between_calls_ms(call_ms, beside_ms, idle.beside_ms) > 0;
  };
  if (!overhead_ || !hides(*overhead_)) return Unit{};
  for (int i = 0; i < most_controls; ++i) {
    TRY_ASSIGN(const TimeBeside again, call_again());
    if (again.repeats(call_ms)) beside_ms = std::min(again.beside_calls(call_ms).q1, beside_ms);
    const auto now = idle_.call(inputs(), 1);  // the machine may be busier than before
    if (!now || !hides(*now)) {
      record().notes.push_back(
          {NoteCode::machine_busy, {{"now_ms", now ? now->beside_ms : beside_ms}, {"usual_ms", overhead_->beside_ms}}});
      return Unit{};
    }
    std::this_thread::sleep_for(busy_for);
  }
  return Failure{Status::SUSPECT, fmt::format("a call takes {}, but it computes for {} more between two calls",
                                              human_time(call_ms * 1e-3), human_time(beside_ms * 1e-3))};
}

// More calls of the variant, because the machine may have been busier before. If fewer than a quarter are as short as
// it reported, its earlier calls decide.
Tried<TimeBeside> CpuTimer::call_again() {
  TimeBeside beside;
  const Stopwatch watch;
  for (size_t i = 0; i < calls_beside_control && watch.s() < calls_beside_control_s && !interrupted(); ++i) {
    TRY_ASSIGN(const OneCall one, make_call());
    beside.add(one.timed, one.reported_ms, one.more_ms);
    TRY(look(one));
  }
  return beside;
}

Tried<Unit> CpuTimer::finish() {
  TRY(make_checked_call());
  TRY(find_hidden_work());
  record_check(fmt::format("{} of {} calls as a whole, of the others {} cells", checks_, calls_made_,
                           looked_lines * looked_lines));
  const double call_ms = summarize(record().samples_ms).median;
  const bool sleeps = std::ssize(usable_cpus()) <= session().build().threads;
  if (overhead_) record().overhead_spread_ms = overhead_->spread_ms;
  if (!overhead_)
    record().notes.push_back({NoteCode::overhead_unknown});
  else if (call_ms < (sleeps ? times_overhead_asleep : times_overhead) * overhead_->call_ms)
    record().notes.push_back({NoteCode::short_call, {{"overhead_ms", overhead_->call_ms}}});
  return Unit{};
}

}  // namespace

std::unique_ptr<CaseTimer> cpu_timer(const PlacedLab& lab, TimedCase& timed, Inputs& inputs, ReturnedRegions returned,
                                     IdleControl& idle) {
  return std::make_unique<CpuTimer>(lab, timed, inputs, std::move(returned), idle);
}

}  // namespace harness
