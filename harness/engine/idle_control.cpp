#include "harness/engine/idle_control.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "harness/base/interrupt.h"
#include "harness/base/random.h"
#include "harness/base/stopwatch.h"
#include "harness/engine/gpu_probe.h"
#include "harness/engine/session.h"

namespace harness {
namespace {

constexpr double control_timeout_s = 60;
constexpr int idle_calls = 31;
constexpr std::chrono::microseconds falls_asleep{100};
// A control that is slower than any on a quiet machine is measured again, after a pause.
constexpr double slow_ms = 0.1, patience_s = 1;

bool is_cold(const PlacedLab& lab) { return lab.config.measure.cpu_cache == MeasurePolicy::CpuCache::cold; }

double around_ms(const IdleCall& call) { return std::max(call.wake_ms, call.beside_ms); }

}  // namespace

// While lines of the last input are copied, a variant can compute with those that it has. So this may not take longer than a worker
// needs to wake up, about 20 us.
int64_t last_bytes(const PlacedLab& lab) {
  constexpr int64_t in_caches = 128 << 10, in_memory = 32 << 10;
  return is_cold(lab) ? in_memory : in_caches;
}

// Much data are written while the worker sleeps, all but some lines of the smallest input. While the worker reads data into
// its caches, a variant could compute with them instead. So the worker reads them only if they are very few.
WriteData when_to_write(const PlacedLab& lab, const Inputs& inputs) {
  constexpr int64_t little_bytes = 512 << 10, read_bytes = 128 << 10;
  const Problem& problem = inputs.problem();
  const auto bytes_of = [&](const BufferSpec& spec) { return static_cast<int64_t>(DataLines(spec, problem.dtype()).bytes()); };
  int64_t bytes = 0;
  for (const BufferSpec& spec : problem.buffers()) bytes += bytes_of(spec);
  const int64_t last = bytes_of(problem.buffers()[inputs.smallest_input()]);
  if (bytes > little_bytes || last > last_bytes(lab)) return WriteData::worker_sleeps;
  // The worker reads padding too.
  return is_cold(lab) || problem.buffer_bytes() > read_bytes ? WriteData::worker_waits : WriteData::worker_reads;
}

void TimeBeside::add(const TimedCall& call, double reported_ms, double late_ms) {
  if (last_ && last_->processor_ms && call.processor_ms)
    all_.push_back({last_reported_ms_, *call.processor_ms - *last_->processor_ms - last_->awake_ms - last_late_ms_});
  last_ = call;
  last_late_ms_ = late_ms;
  last_reported_ms_ = reported_ms;
}

Summary TimeBeside::beside_calls(double up_to_ms) const {
  std::vector<double> beside_ms;
  for (const Beside& call : all_)
    if (call.call_ms <= up_to_ms) beside_ms.push_back(call.beside_ms);
  return summarize(beside_ms);
}

bool TimeBeside::repeats(double up_to_ms) const {
  const int short_calls = beside_calls(up_to_ms).n;
  return short_calls > 0 && 4 * short_calls >= std::ssize(all_);
}

protocol::Cache cache_of(const PlacedLab& lab) {
  return lab.config.measure.gpu_cache == MeasurePolicy::Cache::cold ? protocol::Cache::cold : protocol::Cache::hot;
}

Tried<Unit> IdleControl::start_on_cpu(int threads) {
  if (cpu_ && cpu_->threads == threads) return Unit{};
  cpu_.reset();
  const WorkerSetup setup = cpu_setup(lab_, threads);
  TRY_ASSIGN(Worker worker, Worker::start(setup));
  TRY(worker.open(setup, control_timeout_s));
  cpu_ = OnCpu{std::move(worker), threads};
  return Unit{};
}

Tried<IdleCall> IdleControl::calls_now(const Inputs& inputs, int threads) {
  TRY(start_on_cpu(threads));
  Worker& worker = cpu_->worker;
  // Little data is really written, because how long the control reads it counts.
  const WriteData when = when_to_write(lab_, inputs);
  std::optional<Inputs> own;
  if (when == WriteData::worker_reads) {
    auto drawn = Inputs::draw(inputs.problem_ptr(), inputs.fill(), secret_bits(), inputs.edge());
    if (!drawn) return Failure{Status::OUT_OF_MEMORY, drawn.error().message};
    own = *std::move(drawn);
    own->draw_hidden(secret_bits());
  }
  auto returned = ReturnedRegions::make(own ? *own : inputs, protocol::Placement::mapped);
  if (!returned) return Failure{Status::OUT_OF_MEMORY, returned.error().message};
  AroundCall around{when};
  around.write = [&] {
    if (!own) return;
    own->show_outputs();
    returned->reset(*own);
    own->show(Inputs::Show::larger_inputs, Inputs::CopyTo::caches);
  };
  TRY(worker.load(own ? *own : inputs, *returned, protocol::Placement::mapped, control_timeout_s));
  TRY(worker.start_turns());
  std::vector<double> call_ms, wake_ms, touch_ms;
  TimeBeside beside;
  for (int i = 0; i < idle_calls; ++i) {
    TRY_ASSIGN(const TimedCall timed, worker.timed_call(around, control_timeout_s));
    call_ms.push_back(timed.call_ms);
    wake_ms.push_back(timed.wake_ms);
    touch_ms.push_back(timed.touch_ms);
    beside.add(timed, timed.call_ms, 0);
    worker.pause();
    std::this_thread::sleep_for(falls_asleep);
  }
  TRY(worker.end_turns(control_timeout_s));
  TRY(worker.unload(control_timeout_s));
  return idle_call(call_ms, wake_ms, touch_ms, beside.beside_calls().median);
}

// If a control was killed, a new one answers.
Tried<IdleCall> IdleControl::call(const Inputs& inputs, int threads) {
  auto found = calls_now(inputs, threads);
  if (!found) {
    cpu_.reset();
    found = calls_now(inputs, threads);
  }
  for (const Stopwatch watch; found && around_ms(*found) > slow_ms && watch.s() < patience_s && !interrupted();) {
    std::this_thread::sleep_for(kernel_cleans_up);
    const auto again = calls_now(inputs, threads);
    if (again && around_ms(*again) < around_ms(*found)) found = again;
  }
  return found;
}

Tried<IdleCall> IdleControl::call_of_group(const Inputs& inputs, int threads) {
  if (!of_group_) {
    TRY_ASSIGN(const IdleCall found, call(inputs, threads));
    of_group_ = found;
  }
  return *of_group_;
}

Tried<std::vector<DeviceCall>> IdleControl::device_calls_now(const Inputs& inputs) {
  if (!gpu_) {
    auto probe = start_gpu_probe(lab_);
    if (!probe) return Failure{Status::CRASHED, probe.error().message};
    gpu_ = std::move(probe->worker);
  }
  auto returned = ReturnedRegions::make(inputs, protocol::Placement::device);
  if (!returned) return Failure{Status::OUT_OF_MEMORY, returned.error().message};
  TRY(gpu_->load(inputs, *returned, protocol::Placement::device, control_timeout_s));
  std::vector<DeviceCall> calls;
  for (int i = 0; i < idle_calls; ++i) {
    const Data fresh{Data::Kind::fresh, secret_bits()};
    TRY_ASSIGN(const Answered call, gpu_->run(cache_of(lab_), fresh, control_timeout_s));
    calls.push_back({call.claimed_ms, call.outside_ms});
  }
  TRY(gpu_->unload(control_timeout_s));
  return calls;
}

Tried<std::vector<DeviceCall>> IdleControl::device_calls(const Inputs& inputs) {
  auto found = device_calls_now(inputs);
  if (found) return found;
  gpu_.reset();
  return device_calls_now(inputs);
}

}  // namespace harness
