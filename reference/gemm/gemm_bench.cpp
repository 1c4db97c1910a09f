// Time to check one large output: drawing the inputs and checking. At most 1.5 s at 4096 and 6 s at 8192, on
// two cores.
#include <benchmark/benchmark.h>

#include <memory>
#include <vector>

#include "harness/check/check.h"

namespace harness {
namespace {

/// Memory of A, B and C, touched once, so that page faults are not timed.
struct Buffers {
  explicit Buffers(const Problem& problem) {
    for (const BufferSpec& b : problem.buffers()) {
      const auto size = static_cast<size_t>(b.bytes(problem.dtype()));
      owned.push_back(std::make_unique<std::byte[]>(size));
      raw.push_back(owned.back().get());
    }
  }
  std::vector<std::unique_ptr<std::byte[]>> owned;
  HostBuffers raw;
};

ProblemPtr square(int64_t size) { return *find_kernel("gemm")->problem(Dtype::f32, {{"size", size}}); }

Fill fill_of(const benchmark::State& state) { return state.range(1) == 0 ? Fill::reals : Fill::integers; }

void fill(benchmark::State& state) {
  const ProblemPtr problem = square(state.range(0));
  const Buffers buffers(*problem);
  uint64_t seed = 0;
  for (auto _ : state) problem->fill(fill_of(state), ++seed, buffers.raw);
}

/// A wrong output, so that the search for an explanation is timed as well.
void judge_wrong(benchmark::State& state) {
  const ProblemPtr problem = square(state.range(0));
  const Buffers buffers(*problem);
  problem->fill(fill_of(state), 1, buffers.raw);
  const ConstHostBuffers inputs(buffers.raw.begin(), buffers.raw.end());
  uint64_t secret = 0;
  for (auto _ : state)
    benchmark::DoNotOptimize(check_output(*problem, fill_of(state), inputs, inputs[0], {}, ++secret));
}

void reference(benchmark::State& state) {
  const ProblemPtr problem = square(state.range(0));
  const Buffers buffers(*problem);
  problem->fill(Fill::reals, 1, buffers.raw);
  const ConstHostBuffers inputs(buffers.raw.begin(), buffers.raw.end());
  const auto cells = static_cast<size_t>(state.range(0) * state.range(0));
  std::vector<double> value(cells), scale(cells);
  for (auto _ : state) problem->reference(inputs, value.data(), scale.data());
}

BENCHMARK(fill)->ArgsProduct({{1024, 4096, 8192}, {0, 1}})->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(judge_wrong)
    ->ArgsProduct({{32, 256, 1024, 4096, 8192}, {0, 1}})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(reference)->Arg(128)->Arg(256)->Arg(512)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace harness

BENCHMARK_MAIN();
