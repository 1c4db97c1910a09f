#include "harness/engine/idle_control.h"

#include <algorithm>

#include "harness/base/random.h"
#include "harness/engine/case_timer.h"
#include "harness/engine/gpu_probe.h"
#include "harness/engine/session.h"

namespace harness {
namespace {

constexpr double timeout_s = 60;
constexpr int batches = 3, fetches = 3;
constexpr double several_ms = 0.4;  // a batch of several calls lasts about this long
constexpr int fewest_calls = 3, most_gpu_calls = 32, guesses = 4;
constexpr double warm_gpu_ms = 20;  // an idle device copies slowly at first

ClockedBatch clocked(const Batch& b) { return {b.calls, b.claimed_ms(), b.outside_ms, b.cpu_ms}; }

}  // namespace

Tried<Unit> IdleControl::start(One& one, Dtype dtype, On on) {
  if (one.worker && dtype == one.dtype) return Unit{};
  one = {std::nullopt, dtype, false};
  if (on == On::gpu) {
    auto probe = start_gpu_probe(lab_, dtype);
    if (!probe) return Failure{Status::CRASHED, probe.error().message};
    one.worker = *std::move(probe);
    return Unit{};
  }
  WorkerSetup setup = cpu_setup(lab_, 1);
  setup.dtype = dtype;
  Opened opened;
  TRY_ASSIGN(one.worker, Worker::start(setup, opened, timeout_s));
  return Unit{};
}

Tried<Unit> IdleControl::load(const Inputs& inputs, On on) {
  One& it = one(on);
  if (it.loaded) return Unit{};
  TRY(start(it, inputs.problem().dtype(), on));
  const protocol::Placement placement = on == On::gpu ? protocol::Placement::device : protocol::Placement::copied;
  auto returned = ReturnedRegions::make(inputs, placement);
  if (!returned) return Failure{Status::OUT_OF_MEMORY, returned.error().message};
  TRY(it.worker->load(inputs, *returned, placement, timeout_s));
  it.loaded = true;
  return Unit{};
}

void IdleControl::release() {
  for (One* it : {&cpu_, &gpu_})
    if (std::exchange(it->loaded, false) && it->worker && !it->worker->unload(timeout_s)) it->worker.reset();
}

Tried<Batch> IdleControl::run(One& one, On on, int calls) {
  return one.worker->run(calls, on == On::gpu ? cache_of(lab_) : protocol::Cache::hot,
                         {Data::Kind::fresh, secret_bits()}, timeout_s);
}

// If the control was killed, a new one answers. Without its overhead, correct times would look wrong.
template <class T>
Tried<T> IdleControl::twice(On on, const std::function<Tried<T>()>& ask) {
  for (bool again = false;; again = true) {
    auto answer = ask();
    if (answer) return answer;
    one(on) = {};
    if (again) return answer;
  }
}

Tried<Overhead> IdleControl::measure(const Inputs& inputs, On on) {
  release();
  auto found = twice<Overhead>(on, [&] { return measure_once(inputs, on); });
  release();
  return found;
}

Tried<ClockedBatch> IdleControl::batch(const Inputs& inputs, On on, int calls) {
  return twice<ClockedBatch>(on, [&]() -> Tried<ClockedBatch> {
    TRY(load(inputs, on));
    TRY_ASSIGN(const Batch b, run(one(on), on, calls));
    return clocked(b);
  });
}

Tried<Overhead> IdleControl::measure_once(const Inputs& inputs, On on) {
  TRY(load(inputs, on));
  One& it = one(on);
  const bool gpu = on == On::gpu;
  std::vector<ClockedBatch> single, several;
  for (double warmed_ms = 0; gpu && warmed_ms < warm_gpu_ms;) {
    TRY_ASSIGN(const Batch b, run(it, on, most_gpu_calls));
    warmed_ms += b.outside_ms;
  }
  for (int i = 0; i < batches; ++i) {
    TRY_ASSIGN(const Batch b, run(it, on, 1));
    single.push_back(clocked(b));
  }
  int calls = gpu ? most_gpu_calls : fewest_calls;
  for (int i = 0; !gpu && i < guesses; ++i) {
    TRY_ASSIGN(const Batch b, run(it, on, calls));
    if (b.outside_ms > several_ms / 2) break;
    calls = std::min(LAB_MAX_CALLS, static_cast<int>(calls * several_ms / b.outside_ms));
  }
  for (int i = 0; i < batches; ++i) {
    TRY_ASSIGN(const Batch b, run(it, on, calls));
    several.push_back(clocked(b));
  }
  Overhead found = overhead(single, several);
  for (int i = 0; gpu && i < fetches; ++i) {
    TRY_ASSIGN(const Fetched fetched, it.worker->fetch(timeout_s));
    if (i == 0)
      found.first_fetch_ms = fetched.outside_ms;
    else
      found.fetch_ms = i == 1 ? fetched.outside_ms : std::min(found.fetch_ms, fetched.outside_ms);
  }
  return found;
}

}  // namespace harness
