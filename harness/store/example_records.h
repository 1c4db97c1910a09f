// Records for tests and benchmarks.
#pragma once

#include <string>

#include "harness/store/run_record.h"

namespace harness::testing {

/// Every field set, numbers that need all their digits.
inline CaseRecord full_case(int number = 0) {
  CaseRecord r;
  r.id = "lab5/cpu_sizes/cpu_avx size=" + std::to_string(number);
  r.sweep = "cpu_sizes";
  r.variant = "cpu_avx";
  r.dtype = Dtype::f64;
  r.axes = {{"size", int64_t{number}}, {"BLOCK", int64_t{16}}, {"alpha", 1.0}, {"PARTITION", "row"}};
  r.parameters = {{"m", int64_t{number}}, {"n", int64_t{3}}, {"beta", 0.1 + 0.2}};
  r.label = "m=1024 n=3";
  r.threads = 2;
  r.device = Device::cpu;
  r.status = Status::PASSED;
  r.build_key = "b1";
  r.run_key = "k" + std::to_string(number);
  r.check.lines = {{"exact", true, 0, 0, "integers"}, {"componentwise", true, 1.0 / 3, 2e-17, ""}};
  r.check.shapes = 24;
  r.check.deterministic = false;
  r.check.timed_output = true;
  r.flops = 2147483648.0;
  r.bytes = 12582912.0;
  r.metrics = {
      {MetricName::kernel_ms, {.median = 1.0 / 7, .low = 0.1, .high = 0.2, .n = 12, .min = 0.05, .max = 1e-300}},
      {MetricName::speedup,
       {.median = 8.1, .low = 8.0, .high = 8.2, .n = 12, .over = "cpu_baseline", .paired = true, .equal = false}},
      {MetricName::h2d_ms, {.median = 0.1}}};
  r.samples_ms = {0.1, 1.0 / 3, 5e-324, 1.7976931348623157e308};
  r.rounds = {0, 1, 2, 3};
  r.warmup_ms = {2.5};
  r.calls_per_sample = 4;
  r.stop_reason = StopReason::precision;
  r.notes = {{NoteCode::few_samples, {{"samples", int64_t{4}}}}};
  r.diagnostics = {{"race_shared",
                    Severity::mistake,
                    "gemm<16>",
                    "gpu_x.cu",
                    33,
                    "gpu_x.cu",
                    31,
                    "sum += a[i];",
                    "thread (1,0) reads",
                    "put __syncthreads()",
                    3,
                    4,
                    5,
                    {1, 2, 3},
                    {4, 5, 6}}};
  return r;
}

inline RunRecord header(const std::string& lab = "lab5") {
  RunRecord record;
  record.run.lab = lab;
  record.run.title = "Data-level parallelism";
  record.run.harness = {"0.1.0", "abc1234", false};
  record.run.command = {"run", "configs/lab5.yaml"};
  record.run.sandbox = "bwrap";
  record.run.config = {"configs/lab5.yaml", "lab: lab5"};
  record.kernel = {"gemm", "C = A B", Dtype::f64};
  record.machine.cpu = {.model = "x", .cores = 2, .features = {"avx2"}};
  record.machine.memory_bytes = 1024;
  record.machine.tools = {{"g++", "/usr/bin/g++", "12"}};
  record.baseline = "cpu_baseline";
  return record;
}

}  // namespace harness::testing
