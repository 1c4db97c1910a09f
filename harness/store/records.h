// What is kept of a run: one record a build, one a case. The fields of run.json (docs/run-json.md), as C++
// values. A number that is NaN or infinite was not measured: it is never written, and a number absent from a
// record reads back as NaN where zero would be a claim (ratios, counts of work, seconds).
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
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
#include "harness/measure/statistics.h"
#include "harness/store/note.h"

namespace harness {

/// A measured or derived number. `low`/`high`: 95 % interval, absent below 6 samples.
struct Metric {
  double median = 0;
  std::optional<double> low, high;
  int n = 0;                                       // samples behind it; 0: not said
  nlohmann::json more = nlohmann::json::object();  // min, max, q1, q3, limit, over, paired, equal: scalars
};

struct CheckLine {
  /// "exact", "componentwise", "projection", "memory", "shapes", "determinism", "timed output"
  std::string name;
  bool right = false;
  double worst_ratio = 0, worst_ratio_gamma = 0;
  std::string detail;
};

struct CheckRecord {
  std::vector<CheckLine> lines;
  int shapes = 0;  // check problems passed
  std::optional<bool> deterministic;
  bool timed_output = false;  // an output of the timed runs was checked
  std::string message;        // for the student, when something is wrong
};

struct BuildRecord {
  std::string key, variant;
  Axes macros;
  BuildState state = BuildState::failed;
  double seconds = 0;
  std::string command, compiler, log, source_hash;
};

struct CaseRecord {
  std::string id, sweep, variant;
  std::optional<int> order;  // place in the plan: orders the cases of run.json, and is not in them
  Dtype dtype = Dtype::f32;
  Axes axes, parameters;
  std::string label;
  int threads = 1;
  Device device = Device::cpu;
  std::string gpu;     // uuid
  Status status = Status::CANCELLED;
  std::string reason;
  std::string build_key, run_key, reused_from;
  CheckRecord check;
  double flops = 0, bytes = 0;
  std::vector<std::pair<MetricName, Metric>> metrics;
  std::vector<double> samples_ms, warmup_ms;
  std::vector<int> rounds;  // samples_ms[i] was taken in round rounds[i] of its comparison group
  int64_t calls_per_sample = 1;
  StopReason stop_reason = StopReason::none;
  std::vector<Note> notes;
  std::vector<Diagnostic> diagnostics;  // of the emulated device

  /// The metric of that name, or null.
  const Metric* find(MetricName name) const;
};

/// Axis values with their types, in the order of the YAML.
nlohmann::ordered_json axes_json(const Axes& axes);
/// Ordered: axes keep the order of the YAML, metrics the order they were given in.
nlohmann::ordered_json to_json(const BuildRecord& record);
nlohmann::ordered_json to_json(const CaseRecord& record);
/// The inverse of to_json, for a case found in the store. Throws nothing: a record that does not fit gives
/// nothing.
std::optional<CaseRecord> case_from_json(const nlohmann::ordered_json& json);

}  // namespace harness
