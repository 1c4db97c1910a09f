#include "harness/engine/idle.h"

#include <algorithm>

#include "harness/base/random.h"
#include "harness/engine/session.h"

namespace harness {
namespace {

constexpr double timeout_s = 60;
constexpr int batches = 4;
constexpr double several_ms = 0.3;  // a batch of several calls lasts about this long ...
constexpr int most_calls = 256;

ClockedBatch clocked(const Batch& b) { return {b.calls, b.claimed_ms(), b.outside_ms, b.cpu_ms}; }

}  // namespace

Tried<Unit> Idle::start(Dtype dtype) {
  if (worker_ && dtype == dtype_) return Unit{};
  WorkerSetup setup = cpu_setup(context_, 1);
  setup.dtype = dtype_ = dtype;
  Opened opened;
  worker_.reset();
  TRY_ASSIGN(worker_, Worker::start(setup, opened, timeout_s));
  return Unit{};
}

// Killed, it must not take the honest along, whose overhead would look like a lie: a fresh one answers.
Tried<Overhead> Idle::measure(const Inputs& inputs) {
  if (auto found = measure_once(inputs)) return found;
  worker_.reset();
  auto again = measure_once(inputs);
  if (!again) worker_.reset();
  return again;
}

Tried<Overhead> Idle::measure_once(const Inputs& inputs) {
  TRY(start(inputs.problem().dtype()));
  auto returned = Returned::make(inputs, protocol::Placement::copied);
  if (!returned) return Failure{Status::OUT_OF_MEMORY, returned.error().message};
  TRY(worker_->load(inputs, *returned, protocol::Placement::copied, timeout_s));
  std::vector<ClockedBatch> one, several;
  const auto run = [&](int calls) {
    return worker_->run(calls, protocol::Cache::hot, {Data::Kind::fresh, secret_bits()}, timeout_s);
  };
  for (int i = 0; i < batches; ++i) {
    TRY_ASSIGN(const Batch b, run(1));
    one.push_back(clocked(b));
  }
  double least_ms = one.front().outside_ms;
  for (const ClockedBatch& b : one) least_ms = std::min(least_ms, b.outside_ms);
  const int calls = std::clamp(static_cast<int>(several_ms / least_ms), 3, most_calls);
  for (int i = 0; i < batches; ++i) {
    TRY_ASSIGN(const Batch b, run(calls));
    several.push_back(clocked(b));
  }
  TRY(worker_->unload(timeout_s));
  return overhead(one, several);
}

}  // namespace harness
