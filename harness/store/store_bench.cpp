// What the store adds to a case. The file system is that of $TMPDIR.
#include <benchmark/benchmark.h>

#include "harness/store/example_records.h"
#include "harness/store/store.h"

namespace harness {
namespace {

CaseRecord measured_case(int number, int64_t samples) {
  CaseRecord record = testing::full_case(number);
  record.samples_ms.assign(static_cast<size_t>(samples), 1.0 / 3);
  record.rounds.assign(static_cast<size_t>(samples), 1);
  return record;
}

// A store with one run of 200 cases.
struct Filled {
  explicit Filled(int64_t samples)
      : store(*Store::open(folder.path())), run(*store.begin_run(testing::header())) {
    for (int i = 0; i < 200; ++i) (void)store.record_case(run, measured_case(i, samples));
  }
  TemporaryFolder folder;
  Store store;
  std::string run;
};

void record_case(benchmark::State& state) {
  Filled filled(state.range(0));
  CaseRecord record = measured_case(0, state.range(0));
  for (int number = 200; auto _ : state) {
    record.id = std::to_string(number);
    record.run_key = "k" + std::to_string(number++);
    if (!filled.store.record_case(filled.run, record)) state.SkipWithError("not recorded");
  }
}
BENCHMARK(record_case)->Arg(10)->Arg(100)->Arg(2000)->Unit(benchmark::kMicrosecond);

void find_case(benchmark::State& state) {
  Filled filled(state.range(0));
  for (int number = 0; auto _ : state) {
    const auto found = filled.store.find_case("k" + std::to_string(number++ % 200));
    if (!found || !*found) state.SkipWithError("not found");
  }
}
BENCHMARK(find_case)->Arg(10)->Arg(100)->Arg(2000)->Unit(benchmark::kMicrosecond);

void write_run_folder(benchmark::State& state) {
  Filled filled(state.range(0));
  for (auto _ : state)
    if (!filled.store.write_run_folder(filled.folder.path(), filled.run)) state.SkipWithError("not written");
}
BENCHMARK(write_run_folder)->Arg(10)->Arg(100)->Arg(2000)->Unit(benchmark::kMillisecond);

void open_store(benchmark::State& state) {
  Filled filled(10);
  for (auto _ : state)
    if (!Store::open(filled.folder.path())) state.SkipWithError("not opened");
}
BENCHMARK(open_store)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace harness
