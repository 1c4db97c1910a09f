#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "harness/base/text.h"
#include "harness/machine/cpu_probes.h"
#include "harness/machine/kernel_text.h"
#include "harness/machine/limit_cache.h"
#include "harness/machine/machine.h"
#include "harness/machine/noise.h"
#include "harness/machine/pinned_threads.h"

namespace harness {
namespace {

// Part of the cache's key: raise it when the measurement changes.
constexpr int kProbeRevision = 1;

struct Rate {
  double value = 0;   // of the best lap, because other work on the machine can only slow a lap down
  bool quiet = true;  // in that lap no other work ran on the threads' cores
};

// `work` per thread and lap over the time of the lap, summed over the threads.
Rate best_rate(const std::vector<std::vector<Lap>>& laps, double work) {
  Rate best;
  for (const std::vector<Lap>& lap : laps) {
    Rate rate;
    for (const Lap& thread : lap) {
      rate.value += work / thread.wall_s;
      rate.quiet = rate.quiet && thread.cpu_s > 0.97 * thread.wall_s;
    }
    if (rate.value > best.value) best = rate;
  }
  return best;
}

Result<MachineLimit> measure_fma(Dtype dtype, int threads) {
  constexpr int64_t kSteps = 2'000'000;  // 3 to 10 ms: short enough to fall between two disturbances
  const FmaProbe probe = widest_fma_probe(dtype);
  TRY_ASSIGN(
      const auto laps,
      run_pinned({.threads = threads, .laps = 12, .prepare = nullptr, .lap = [&](int, int) { probe.run(kSteps); }}));
  const Rate rate = best_rate(laps, static_cast<double>(kSteps * probe.flops_per_step));
  return MachineLimit{
      .value = rate.value,
      .method = fmt::format("{} multiply-adds on registers, best of {} laps", probe.instructions, laps.size()),
      .quiet = rate.quiet};
}

struct Free {
  void operator()(char* p) const { std::free(p); }
};
using Buffer = std::unique_ptr<char, Free>;

// A lap copies one part of the buffer. Laps are short, so that some fall between two disturbances.
constexpr int kLapsABuffer = 4;

Buffer touched_buffer(size_t bytes) {
  Buffer buffer(static_cast<char*>(std::aligned_alloc(4096, bytes)));
  if (buffer) std::memset(buffer.get(), 1, bytes);
  return buffer;
}

// Four times the last-level cache, so that data of one lap does not make a later one faster.
size_t buffer_bytes(const Machine& machine, int threads) {
  constexpr int64_t kAlign = int64_t{kLapsABuffer} * 4096;
  const int64_t wanted = std::max<int64_t>(32 << 20, 4 * machine.cpu.l3_bytes / threads);
  const int64_t affordable = machine.available_bytes / 4 / (2 * threads);
  return static_cast<size_t>(std::max<int64_t>(std::min(wanted, affordable) / kAlign, 16) * kAlign);
}

// Measures both kinds of stores and keeps the better one. An ordinary store first reads the line that it overwrites,
// so it moves half as much again as is counted. A variant that avoids this must not beat the limit.
Result<MachineLimit> measure_copy(const Machine& machine, int threads) {
  const size_t bytes = buffer_bytes(machine, threads), part = bytes / kLapsABuffer;
  std::vector<Buffer> from(threads), to(threads);
  MachineLimit best;
  for (const CopyProbe& probe : copy_probes()) {
    const auto prepare = [&](int t) {
      if (!from[t]) from[t] = touched_buffer(bytes);
      if (!to[t]) to[t] = touched_buffer(bytes);
      return from[t] && to[t];
    };
    const auto lap = [&](int t, int l) {
      const size_t at = static_cast<size_t>(l % kLapsABuffer) * part;
      probe.run(to[t].get() + at, from[t].get() + at, part);
    };
    TRY_ASSIGN(const auto laps, run_pinned({threads, 3 * kLapsABuffer, prepare, lap}));
    const Rate rate = best_rate(laps, 2.0 * static_cast<double>(part));
    if (rate.value <= best.value) continue;
    best = {.value = rate.value,
            .method = fmt::format("copy of {} a thread with {}, bytes read and written, best of {} laps",
                                  human_bytes(static_cast<double>(bytes)), probe.stores, laps.size()),
            .quiet = rate.quiet};
  }
  return best;
}

struct Limit {
  const char* name;
  Result<MachineLimit> (*measure)(const Machine&, int threads);  // fills value, method and quiet
};

constexpr Limit kLimits[] = {
    {"fma_f32", [](const Machine&, int threads) { return measure_fma(Dtype::f32, threads); }},
    {"fma_f64", [](const Machine&, int threads) { return measure_fma(Dtype::f64, threads); }},
    {"copy", measure_copy},
};

// Work on another core, or on the other hyper-thread, takes no CPU time from a lap but still slows it down, because
// cores share memory, caches and execution units.
class OthersWatch {
 public:
  OthersWatch() : start_(now()) {}

  /// True if other work, on this machine or its host, took less than a tenth of the time.
  bool idle() const {
    const Reading end = now();
    return end.others_s - start_.others_s <= 0.1 * (end.wall_s - start_.wall_s);
  }

 private:
  struct Reading {
    double wall_s = 0, others_s = 0;
  };
  static Reading now() {
    const CpuTime all = parse_cpu_time(kernel_text("/proc/stat")).value_or(CpuTime{});
    return {clock_seconds(CLOCK_MONOTONIC), all.busy_s + all.stolen_s - clock_seconds(CLOCK_PROCESS_CPUTIME_ID)};
  }
  Reading start_;
};

// Nodes of one model share the file, and one of them may be slower than its peers.
std::string cache_key(const Machine& machine) {
  return fmt::format("{}|{}|{} cores|{}|{}", machine.hostname_hash, machine.cpu.model, machine.cpu.cores,
                     machine.kernel, kProbeRevision);
}

Result<MachineLimit> measure(const Limit& limit, const Machine& machine, int threads) {
  const OthersWatch others;
  TRY_ASSIGN(MachineLimit measured, limit.measure(machine, threads));
  measured.quiet = measured.quiet && others.idle();
  measured.name = limit.name;
  measured.device = "cpu";
  measured.threads = threads;
  return measured;
}

}  // namespace

Done raise_cpu_limit(const Machine& machine, const std::string& cache_file, MachineLimit& known) {
  const auto limit =
      std::find_if(std::begin(kLimits), std::end(kLimits), [&](const Limit& l) { return l.name == known.name; });
  if (limit == std::end(kLimits)) return ok();
  TRY_ASSIGN(MachineLimit measured, measure(*limit, machine, known.threads));
  if (measured.value <= known.value) return ok();
  std::vector<MachineLimit> kept;
  if (!cache_file.empty()) kept = read_limits(cache_file, cache_key(machine)).value_or(kept);
  for (MachineLimit& c : kept)
    if (c.name == known.name && c.threads == known.threads) c = measured;
  if (!kept.empty()) (void)write_limits(cache_file, cache_key(machine), kept);
  measured.method += fmt::format("; {:.3g} at first, until a case was faster", known.value);
  measured.times_again = known.times_again;
  known = std::move(measured);
  return ok();
}

Result<std::vector<MachineLimit>> cpu_limits(const Machine& machine, const std::string& cache_file, Probing probing) {
  const std::string key = cache_key(machine);
  std::vector<MachineLimit> known;
  if (!cache_file.empty()) known = read_limits(cache_file, key).value_or(known);
  if (probing == Probing::known_only) return known;

  std::vector<int> thread_counts = {1};
  if (machine.cpu.cores > 1) thread_counts.push_back(machine.cpu.cores);
  std::vector<MachineLimit> limits;
  bool news = false;
  for (const int threads : thread_counts)
    for (const Limit& limit : kLimits) {
      const auto old = std::ranges::find_if(
          known, [&](const MachineLimit& c) { return c.name == limit.name && c.threads == threads; });
      if (old != known.end() && old->quiet) {
        limits.push_back(*old);
        continue;
      }
      TRY_ASSIGN(MachineLimit measured, measure(limit, machine, threads));
      if (old != known.end() && old->value > measured.value) {  // other work only makes a measurement slower
        measured.value = old->value;
        measured.method = old->method;
      }
      limits.push_back(std::move(measured));
      news = true;
    }
  // If the cache cannot be written, the next run measures again, which takes a second.
  if (news && !cache_file.empty()) (void)write_limits(cache_file, key, limits);
  for (MachineLimit& c : limits)
    if (!c.quiet) c.method += "; the machine was busy, the limit may be higher";
  return limits;
}

}  // namespace harness
