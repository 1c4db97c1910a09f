// One AVX kernel, timed in three ways: in a loop over the same data, as Google Benchmark does; from outside, on the same
// data; from outside, on new data for each call, as the harness does. The medians go into docs/trust-measured.md:
//   ninja -C build timed_calls_bench && build/timed_calls_bench --benchmark_repetitions=15
//     --benchmark_enable_random_interleaving=true --benchmark_report_aggregates_only=true
#include <benchmark/benchmark.h>
#include <dlfcn.h>

#include "harness/base/parallel.h"
#include "harness/client/client.h"
#include "lab/abi.h"

namespace harness {
namespace {

constexpr double timeout_s = 30;

struct Data {
  explicit Data(int64_t n)
      : inputs(*Inputs::draw(*find_kernel("gemm")->problem(Dtype::f32, {{"size", n}}), Fill::reals, 1, Edge::end)),
        returned(*ReturnedRegions::make(inputs, protocol::Placement::mapped)) {}
  Inputs inputs;
  ReturnedRegions returned;
};

void in_a_loop(benchmark::State& state) {
  Data data(state.range(0));
  void* const object = dlopen(BENCH_VARIANT, RTLD_NOW);
  const auto entry = object ? reinterpret_cast<lab_cpu_entry>(dlsym(object, "lab_cpu_gemm_f32")) : nullptr;
  if (!entry) return state.SkipWithError("cannot load the variant");
  std::vector<void*> buffers;
  for (const std::byte* input : data.inputs.pristine()) buffers.push_back(const_cast<std::byte*>(input));
  buffers.back() = data.returned.output().data();
  const auto problem = data.inputs.problem().blob();
  for (auto _ : state) entry(problem.data(), buffers.data(), nullptr);
}

enum class Inputs_are { the_same, fresh };

template <Inputs_are how>
void from_outside(benchmark::State& state) {
  Data data(state.range(0));
  WorkerSetup setup;
  setup.sandbox = *find_sandbox("none");
  setup.launcher = fs::path(HARNESS_BUILD_DIR) / "harness-launcher";
  setup.program = fs::path(HARNESS_BUILD_DIR) / "harness-worker";
  setup.object = BENCH_VARIANT;
  setup.kernel = "gemm";
  setup.cpus = {usable_cpus().back()};
  auto worker = Worker::start(setup);
  if (!worker) return state.SkipWithError(worker.error().message.c_str());
  if (!worker->open(setup, timeout_s) || !worker->load(data.inputs, data.returned, protocol::Placement::mapped, timeout_s) || !worker->start_turns())
    return state.SkipWithError("the worker cannot load the data");
  uint64_t seed = 0;
  const auto write = [&] {
    if (how == Inputs_are::fresh) data.inputs.redraw(++seed);
  };
  for (auto _ : state) {
    const auto call = worker->timed_call({WriteData::worker_sleeps, write}, timeout_s);
    if (!call) return state.SkipWithError(call.error().message.c_str());
    state.SetIterationTime(call->call_ms * 1e-3);
  }
}

void sizes(benchmark::internal::Benchmark* benchmark) {
  for (const int n : {16, 64, 128, 256, 512}) benchmark->Arg(n);
}
BENCHMARK(in_a_loop)->Apply(sizes)->Unit(benchmark::kMicrosecond);
BENCHMARK(from_outside<Inputs_are::the_same>)->Apply(sizes)->UseManualTime()->Unit(benchmark::kMicrosecond);
BENCHMARK(from_outside<Inputs_are::fresh>)->Apply(sizes)->UseManualTime()->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace harness
