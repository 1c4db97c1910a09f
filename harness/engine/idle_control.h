// Workers that compute nothing. Their times are the overhead of a call: release and answer, on a device also new data.
#pragma once

#include <chrono>
#include <limits>

#include "harness/client/client.h"
#include "harness/engine/lab.h"
#include "harness/measure/call_time.h"
#include "harness/measure/hidden_work.h"
#include "harness/measure/statistics.h"

namespace harness {

/// How long the harness waits for the Linux kernel to clean up behind a variant, for example to free its page tables: what is
/// timed next would be slower. docs/trust-measured.md has the measured figures.
constexpr std::chrono::milliseconds kernel_cleans_up{30};

/// Processor time of a CPU worker beside its calls.
class TimeBeside {
 public:
  /// `reported_ms`: the time of the call. `late_ms`: of waking up and of reading the result; it is part of the time of
  /// the call, so it is not beside it.
  void add(const TimedCall& call, double reported_ms, double late_ms);
  /// Beside calls of at most `up_to_ms`: from when one is woken to when the next one is. n = 0: it could not be measured.
  ///
  /// If `up_to_ms` is the median that the report prints, and less than a call really takes, then each of these calls has
  /// hidden work, whatever the variant did in others. So their lower quartile shows it, and a machine that delays some
  /// calls accuses nobody.
  Summary beside_calls(double up_to_ms = std::numeric_limits<double>::infinity()) const;
  /// Whether at least a quarter of the calls take at most `up_to_ms`. Only such calls can refute what was seen before.
  bool repeats(double up_to_ms) const;

 private:
  struct Beside {
    double call_ms = 0, beside_ms = 0;
  };
  std::optional<TimedCall> last_;
  double last_late_ms_ = 0, last_reported_ms_ = 0;
  std::vector<Beside> all_;
};

/// Before a variant is accused, it is compared with the control so many times, each time in so many calls, or those that fit
/// into the time: a machine may be busy for a moment.
inline constexpr int most_controls = 6;
inline constexpr size_t calls_beside_control = 31;
inline constexpr double calls_beside_control_s = 2;

class IdleControl {
 public:
  explicit IdleControl(const PlacedLab& lab) : lab_(lab) {}

  /// On the CPU, on the cores of variants with so many threads: from several calls, now, or a little later if they are slow.
  Tried<IdleCall> call(const Inputs& inputs, int threads);
  /// One measurement for all variants of a group, made when the first of them asks: its scatter does not change their ratios. They
  /// have the same problem and number of threads.
  Tried<IdleCall> call_of_group(const Inputs& inputs, int threads);
  void next_group() { of_group_.reset(); }

  /// On the GPU: several calls, now.
  Tried<std::vector<DeviceCall>> device_calls(const Inputs& inputs);

 private:
  struct OnCpu {
    Worker worker;
    int threads;
  };
  Tried<Unit> start_on_cpu(int threads);
  Tried<IdleCall> calls_now(const Inputs& inputs, int threads);
  Tried<std::vector<DeviceCall>> device_calls_now(const Inputs& inputs);

  const PlacedLab& lab_;
  std::optional<OnCpu> cpu_;
  std::optional<Worker> gpu_;
  std::optional<IdleCall> of_group_;
};

/// When the data of a timed call on the CPU is written.
WriteData when_to_write(const PlacedLab& lab, const Inputs& inputs);
/// How many bytes of the smallest input come last, just before the release.
int64_t last_bytes(const PlacedLab& lab);

/// How the config wants the cache to be on a GPU.
protocol::Cache cache_of(const PlacedLab& lab);

}  // namespace harness
