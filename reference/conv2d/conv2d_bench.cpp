// What checking one large output costs: drawing inputs, and comparing. Limits as for gemm: 1.5 s at the lab's
// 4096 x 4096 with 3 channels, on two cores.
#include <benchmark/benchmark.h>

#include <memory>
#include <vector>

#include "harness/check/check.h"

namespace harness {
namespace {

/// Memory of the buffers, touched once, so that page faults are not timed.
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

/// size, channels, filters
ProblemPtr problem_of(const benchmark::State& state) {
  return *find_kernel("conv2d")->problem(Dtype::f32, {{"size", state.range(0)},
                                                    {"channels", state.range(1)},
                                                    {"filters", state.range(2)},
                                                    {"padding", int64_t{1}}});
}

void fill(benchmark::State& state) {
  const ProblemPtr problem = problem_of(state);
  const Buffers buffers(*problem);
  uint64_t seed = 0;
  for (auto _ : state) problem->fill(Fill::reals, ++seed, buffers.raw);
}

/// A wrong output, zeros, so that the search for an explanation is timed as well.
void check_wrong(benchmark::State& state) {
  const ProblemPtr problem = problem_of(state);
  const Buffers buffers(*problem);
  problem->fill(Fill::reals, 1, buffers.raw);
  const ConstHostBuffers inputs(buffers.raw.begin(), buffers.raw.end());
  const std::vector<float> zeros(static_cast<size_t>(problem->output().elements()));
  uint64_t secret = 0;
  for (auto _ : state)
    benchmark::DoNotOptimize(
        check_output(*problem, Fill::reals, inputs, reinterpret_cast<const std::byte*>(zeros.data()), {}, ++secret));
}

void shapes(benchmark::internal::Benchmark* b) {
  b->Args({256, 3, 1})->Args({1024, 3, 1})->Args({4096, 3, 1})->Args({224, 64, 64})->Args({14, 512, 512});
  b->Unit(benchmark::kMillisecond)->UseRealTime();
}

BENCHMARK(fill)->Apply(shapes);
BENCHMARK(check_wrong)->Apply(shapes);

}  // namespace
}  // namespace harness
