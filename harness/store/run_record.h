// run.json as C++ values (run_fields.cpp describes them).
#pragma once

#include <limits>
#include <nlohmann/json_fwd.hpp>

#include "harness/base/shared_json.h"
#include "harness/check/check.h"
#include "harness/config/config.h"
#include "harness/config/metric_table.h"
#include "harness/machine/machine.h"
#include "harness/plan/plan.h"
#include "harness/sandbox/sandbox.h"
#include "harness/store/records.h"

namespace harness {

struct ProgramVersion {
  std::string version, commit;
  bool dirty = false;
};

struct ConfigText {
  std::string path, text;
};

struct RunInfo {
  std::string id, lab, title, about;
  std::string started, finished, state;  // the store sets these three, `id` and `seconds`
  double seconds = std::numeric_limits<double>::quiet_NaN();
  ProgramVersion harness;
  std::vector<std::string> command, settings;
  std::optional<double> budget_s;
  std::string seed, sandbox;
  ConfigText config;
};

struct KernelInfo {
  std::string name, formula;
  Dtype dtype = Dtype::f32;
};

struct Noise {
  SharedJson before, after;
};

struct StatusRow {
  Status name = Status::PASSED;
  bool fails = false;
  std::string meaning;
};

struct VariantRecord {
  std::string name, file, summary;
  bool gpu = false;
  std::vector<std::string> needs;
  std::string about;
  bool from_submission = false;
  std::string precision;
  std::vector<std::pair<std::string, std::string>> macros;
  std::string drawing;
  std::string tuned;
};

/// A file that the run was made of. The store keeps its text (store/sources.h).
struct SourceFile {
  std::string path;     // "labs/gemm/cpu_avx.cpp", "submission/mine.cpp", "configs/lab5.yaml"
  std::string hash;     // SHA-256
  std::string variant;  // whose source it is; empty: a header, the config or a file that the config names
};

struct EmulatedDevice {
  int lanes = 32;
  std::string schedule;
  bool diagnostics = true;
};

struct ContainerRecord : Container {
  std::vector<std::string> mounts;
  std::string driver;
};

struct PublishedRow {
  std::string variant, dtype;
  Axes axes;
  std::vector<std::pair<std::string, double>> values;
};

struct PublishedFile {
  std::string file, machine, sweep, note;
  std::vector<PublishedRow> rows;
};

/// Whether numbers confirm a claim. FAILS needs an interval that excludes it, not just a median.
enum class ClaimAnswer { HOLDS, FAILS, UNDECIDED };
template <>
struct Spelling<ClaimAnswer> {
  static constexpr std::string_view words[] = {"HOLDS", "FAILS", "UNDECIDED"};
};

struct ClaimPoint {
  std::string at;  // "size=512 BLOCK=8": what tells it from the other points
  ClaimAnswer answer = ClaimAnswer::UNDECIDED;
  std::optional<double> value, low, high;
  std::string reason;  // why there is no number, or no interval
};

/// What one set of figures says of a claim: those of a run, or those of a report.
struct AnsweredClaim {
  std::string machine;  // published figures: where they come from
  ClaimAnswer answer = ClaimAnswer::UNDECIDED;
  std::string why;
  std::vector<ClaimPoint> points;
};

struct ClaimRecord {
  std::string text, source, stated, number;
  AnsweredClaim measured;
  std::vector<AnsweredClaim> published;
};

struct RunRecord {
  std::string schema = "harness/run/2";
  RunInfo run;
  KernelInfo kernel;
  Machine machine;
  Noise noise;
  std::vector<MachineLimit> machine_limits;
  MeasurePolicy policy;
  std::string baseline;
  std::vector<std::string> vendors;
  std::optional<RecordedBaseline> recorded_baseline;
  std::optional<StatedDevice> stated_device;
  std::optional<SelfTest> selftest;
  std::vector<std::pair<MetricName, MetricInfo>> metrics_info;
  std::vector<StatusRow> statuses;
  std::vector<VariantRecord> variants;
  std::vector<SourceFile> sources;
  std::optional<EmulatedDevice> emulated;
  std::optional<ContainerRecord> container;
  std::vector<Excluded> excluded;
  SharedJson report;
  std::vector<PublishedFile> published;
  std::vector<ClaimRecord> claims;
  std::vector<BuildRecord> builds;  // rows of their own in the store
  std::vector<CaseRecord> cases;
};

nlohmann::ordered_json to_json(const RunRecord& record);
nlohmann::ordered_json to_json(const std::vector<Excluded>& points);
nlohmann::ordered_json to_json(const std::vector<ClaimRecord>& claims);
/// Nothing if the JSON is not a run.
std::optional<RunRecord> run_from_json(const nlohmann::ordered_json& json);
/// The JSON Schema of run.json.
nlohmann::ordered_json run_schema();

}  // namespace harness
