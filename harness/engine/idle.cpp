#include "harness/engine/idle.h"

#include <algorithm>

#include "harness/base/random.h"
#include "harness/client/steal.h"
#include "harness/engine/gpu_probe.h"
#include "harness/engine/lane.h"
#include "harness/engine/session.h"

namespace harness {
namespace {

constexpr double timeout_s = 60;
constexpr int few_batches = 4, many_batches = 12, fetches = 3;
constexpr double several_ms = 0.6;  // a batch of several calls lasts about this long
constexpr int fewest_calls = 3, most_gpu_calls = 32, guesses = 4;
constexpr double warm_gpu_ms = 20;  // a device that slept copies slowly

ClockedBatch clocked(const Batch& b) { return {b.calls, b.claimed_ms(), b.outside_ms, b.cpu_ms}; }

}  // namespace

Tried<Unit> Idle::start(One& one, Dtype dtype, On on) {
  if (one.worker && dtype == one.dtype) return Unit{};
  one.dtype = dtype;
  one.worker.reset();
  if (on == On::gpu) {
    auto probe = start_gpu_probe(context_, dtype);
    if (!probe) return Failure{Status::CRASHED, probe.error().message};
    one.worker = *std::move(probe);
    return Unit{};
  }
  WorkerSetup setup = cpu_setup(context_, 1);
  setup.dtype = dtype;
  Opened opened;
  TRY_ASSIGN(one.worker, Worker::start(setup, opened, timeout_s));
  return Unit{};
}

// Killed, it must not take the honest along, whose overhead would look like a lie: a fresh one answers.
Tried<Overhead> Idle::measure(const Inputs& inputs, On on, Of of) {
  One& one = on == On::gpu ? gpu_ : cpu_;
  if (auto found = measure_once(one, inputs, on, of)) return found;
  one.worker.reset();
  auto again = measure_once(one, inputs, on, of);
  if (!again) one.worker.reset();
  return again;
}

Tried<Overhead> Idle::measure_once(One& one, const Inputs& inputs, On on, Of of) {
  TRY(start(one, inputs.problem().dtype(), on));
  Worker& worker = *one.worker;
  const bool gpu = on == On::gpu;
  const protocol::Placement placement = gpu ? protocol::Placement::device : protocol::Placement::copied;
  auto returned = Returned::make(inputs, placement);
  if (!returned) return Failure{Status::OUT_OF_MEMORY, returned.error().message};
  TRY(worker.load(inputs, *returned, placement, timeout_s));
  const int batches = of == Of::quickest ? few_batches : many_batches;
  std::vector<ClockedBatch> single, several;
  const auto run = [&](int calls) {
    return worker.run(calls, gpu ? cache_of(context_) : protocol::Cache::hot, {Data::Kind::fresh, secret_bits()},
                      timeout_s);
  };
  // The slow ones of those that a virtual machine's host left alone, if there are any.
  const auto collect = [&](int calls, std::vector<ClockedBatch>& kept) -> Tried<Unit> {
    std::vector<ClockedBatch> all;
    for (int i = 0; i < 2 * batches && std::ssize(kept) < batches; ++i) {
      std::optional<StealWatch> steal;
      if (of == Of::slow_ones) steal.emplace(gpu ? std::vector<int>{} : cpus_for(1));
      TRY_ASSIGN(const Batch b, run(calls));
      all.push_back(clocked(b));
      if (!steal || steal->stolen_ms() == 0) kept.push_back(all.back());
    }
    if (kept.empty()) kept = all;
    return Unit{};
  };
  for (double warmed_ms = 0; gpu && warmed_ms < warm_gpu_ms;) {
    TRY_ASSIGN(const Batch b, run(most_gpu_calls));
    warmed_ms += b.outside_ms;
  }
  TRY(collect(1, single));
  int calls = gpu ? most_gpu_calls : fewest_calls;
  for (int i = 0; !gpu && i < guesses; ++i) {
    TRY_ASSIGN(const Batch b, run(calls));
    if (b.outside_ms > several_ms / 2) break;
    calls = std::min(LAB_MAX_CALLS, static_cast<int>(calls * several_ms / b.outside_ms));
  }
  TRY(collect(calls, several));
  Overhead found = overhead(single, several, of);
  for (int i = 0; gpu && i < fetches; ++i) {
    TRY_ASSIGN(const Fetched fetched, worker.fetch(timeout_s));
    found.fetch_ms = i == 0 ? fetched.outside_ms : std::min(found.fetch_ms, fetched.outside_ms);
  }
  TRY(worker.unload(timeout_s));
  return found;
}

}  // namespace harness
