// What the store keeps of a build and of a case: the fields of run.json as C++ values (case_fields.cpp describes them).
// A number that is NaN or infinite was not measured: it is not written, and reads back as NaN.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "emulator/diagnostics/diagnostics.h"
#include "harness/base/dtype.h"
#include "harness/base/enums.h"
#include "harness/base/status.h"
#include "harness/config/metric_table.h"
#include "harness/kernel/value.h"
#include "harness/machine/kernel_function.h"
#include "harness/measure/statistics.h"
#include "harness/store/note.h"

namespace harness {

/// A measured or derived number. Which of the optional members it has depends on its name.
struct Metric {
  double median = 0;
  std::optional<double> low, high;  // 95 % interval; absent if there are fewer than 6 samples
  int n = 0;                        // number of samples; 0: unknown
  std::optional<double> min, max, q1, q3;
  std::string limit;                  // percent_of_limit: the name of the machine limit
  std::string over;                   // speedup: the variant or the file that it is relative to
  std::string source;                 // speedup_recorded: where the recorded times come from
  std::string of;                     // efficiency: the speedup that it divides
  std::optional<bool> paired, equal;  // speedup: from samples of the same rounds; no difference could be shown
  // warps_occupied: the launch, and the device as it was assumed and as it is.
  int64_t blocks = 0, threads_per_block = 0, maximum = 0, lanes = 0, device_warps = 0, device_lanes = 0;
  std::optional<bool> stated;
};

struct CheckLine {
  std::string name;
  bool right = false;
  double worst_ratio = 0, worst_ratio_gamma = 0;
  std::string detail;
  bool weak = false;  // an output of zeros would have passed too, by chance; not stored
};

struct CheckRecord {
  std::vector<CheckLine> lines;
  int shapes = 0, left_out = 0;
  std::optional<bool> deterministic;
  bool timed_output = false;
  std::string message;
};

struct BuildRecord {
  std::string key, variant;
  std::vector<std::pair<std::string, std::string>> macros;
  BuildState state = BuildState::failed;
  double seconds = 0;
  std::string command, compiler, log, source_hash;
  std::vector<std::string> warnings;  // of the compiler, the first ones
  std::vector<KernelFunction> kernel_functions;
};

struct CaseRecord {
  std::string id, sweep, variant;
  std::optional<int> order;  // in the plan; it orders the cases of run.json and is not written
  Dtype dtype = Dtype::f32;
  Axes axes, parameters;
  std::string label;
  int threads = 1;
  Device device = Device::cpu;
  std::string gpu;
  std::string owner;  // if the run has a submission: whose file it is, "submission" or "lab"
  Status status = Status::CANCELLED;
  std::string reason;
  std::string build_key, run_key, reused_from;
  CheckRecord check;
  double flops = 0, bytes = 0;
  std::vector<std::pair<MetricName, Metric>> metrics;
  std::vector<double> samples_ms, warmup_ms;
  std::optional<double> overhead_spread_ms;
  std::vector<int> rounds;
  int64_t calls_per_sample = 1;
  StopReason stop_reason = StopReason::none;
  std::vector<Note> notes;
  std::vector<Diagnostic> diagnostics;

  /// The metric of that name, or null.
  const Metric* find(MetricName name) const;
  /// Of the samples; the interval includes what may still be overhead.
  Summary summary() const;
};

nlohmann::ordered_json to_json(const Axes& axes);
nlohmann::ordered_json to_json(const BuildRecord& record);
nlohmann::ordered_json to_json(const CaseRecord& record);
/// Nothing if the JSON is not a case.
std::optional<CaseRecord> case_from_json(const nlohmann::ordered_json& json);

}  // namespace harness
