#include "harness/machine/pinned_threads.h"

#include <fmt/format.h>

#include <atomic>
#include <barrier>
#include <future>
#include <system_error>
#include <thread>

#include "harness/base/parallel.h"

namespace harness {
namespace {

// Starts with the last core, because the first core serves most interrupts. A thread that cannot be pinned still runs.
void pin(int thread, const std::vector<int>& cpus) {
  if (!cpus.empty()) stay_on({cpus[cpus.size() - 1 - static_cast<size_t>(thread) % cpus.size()]});
}

}  // namespace

double clock_seconds(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

Result<std::vector<std::vector<Lap>>> run_pinned(const PinnedWork& work) {
  std::vector<std::vector<Lap>> laps(work.laps, std::vector<Lap>(work.threads));
  const std::vector<int> cpus = usable_cpus();
  std::barrier together(work.threads);
  std::atomic<bool> prepared{true};
  std::promise<bool> all_started;  // false: one thread failed, and the others must not wait for it
  const std::shared_future<bool> go = all_started.get_future().share();

  const auto body = [&](int t) {
    if (!go.get()) return;
    pin(t, cpus);
    if (work.prepare && !work.prepare(t)) prepared = false;
    together.arrive_and_wait();
    if (!prepared) return;
    for (int l = 0; l < work.laps; ++l) {
      together.arrive_and_wait();
      const double wall = clock_seconds(CLOCK_MONOTONIC), cpu = clock_seconds(CLOCK_THREAD_CPUTIME_ID);
      work.lap(t, l);
      laps[l][t] = {clock_seconds(CLOCK_MONOTONIC) - wall, clock_seconds(CLOCK_THREAD_CPUTIME_ID) - cpu};
    }
  };
  std::vector<std::jthread> threads;
  try {
    for (int t = 0; t < work.threads; ++t) threads.emplace_back(body, t);
  } catch (const std::system_error& e) {
    all_started.set_value(false);
    return Error{fmt::format("cannot start {} threads: {}", work.threads, e.what()), ExitCode::machine};
  }
  all_started.set_value(true);
  threads.clear();  // joins
  if (!prepared) return Error{"cannot prepare all threads: out of memory", ExitCode::machine};
  return laps;
}

}  // namespace harness
