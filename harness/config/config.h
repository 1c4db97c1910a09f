// The contents of a lab's YAML file. `harness schema` prints its JSON Schema.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/dtype.h"
#include "harness/base/result.h"
#include "harness/base/shared_json.h"
#include "harness/config/claim.h"
#include "harness/config/executor_settings.h"
#include "harness/config/grade.h"
#include "harness/config/position.h"
#include "harness/kernel/value.h"

namespace harness {

/// One axis of a product, or (several names) tuples that change together.
struct Axis {
  std::vector<std::string> names;
  std::vector<std::vector<Value>> points;  // points[i] has one value per name
  std::vector<std::string> only;           // variants (globs) it applies to; empty: all
  std::vector<Position> only_positions;    // one per entry of `only`
  Position position;
};

/// Conditions on a case: a glob for the variant and axis values. All must hold.
struct Match {
  std::string variant;  // glob, empty: any
  std::vector<std::pair<std::string, std::vector<Value>>> axes;
  std::string reason;  // exclude only
  Position position;
};

struct Sweep {
  std::string name;
  std::vector<std::string> variants;        // names or globs
  std::vector<Position> variant_positions;  // one per entry of `variants`
  std::vector<Axis> axes;
  Axes fixed;  // `set: {beta: 0.5}`: one value for every case of the sweep
  std::vector<Position> fixed_positions;
  std::optional<Dtype> dtype;
  std::vector<Match> exclude;
  std::vector<Axes> include;  // added after exclude; each holds "variant" (string) and axis values
  std::vector<Position> include_positions;
  Position position;
};

/// All axis names of a sweep: swept, set or included, in the order of the file.
std::vector<std::string> axis_names(const Sweep& sweep);

struct MeasurePolicy {
  double precision = 0.005;  // half width of the 95 % interval of the median, relative
  double max_time_s = 15;    // per case
  double min_batch_ms = 1;   // a batch lasts at least this long, including the time for new data
  int min_samples = 10;
  int max_samples = 2000;
  bool drop_slower = false;  // cases that are clearly slower than another of their group get few samples
  enum class Cache { cold, hot } gpu_cache = Cache::cold;
  enum class CpuCache { fresh, cold } cpu_cache = CpuCache::fresh;
};
template <>
struct Spelling<MeasurePolicy::Cache> {
  static constexpr std::string_view words[] = {"cold", "hot"};
};
template <>
struct Spelling<MeasurePolicy::CpuCache> {
  static constexpr std::string_view words[] = {"fresh", "cold"};
};

struct Published {
  std::string file;                                                     // relative to the config
  std::string sweep;                                                    // empty: any sweep that matches
  std::vector<std::pair<std::string, std::string>> axes;                // CSV column -> axis name
  std::vector<std::pair<std::string, std::string>> values;              // CSV column -> metric name
  std::vector<std::pair<std::string, double>> factors;                  // CSV column -> to the metric's unit; absent: 1
  std::vector<std::pair<std::string, std::vector<std::string>>> where;  // CSV column -> the fields that count
  std::vector<std::pair<std::string, std::string>> variants;            // printed name -> name of our variant
  std::vector<std::string> axes_by_name;  // used without axes and values: columns with these names
  std::string machine;                    // one line: where the figures come from
  std::string note;                       // a remark on the figures, shown below the table
  Position position;
};

/// Times that were recorded elsewhere; speedup_recorded is relative to them.
struct RecordedBaseline {
  std::string file;                                       // relative to the config
  std::vector<std::pair<std::string, std::string>> axes;  // CSV column -> axis name
  std::string value;                                      // CSV column
  double to_ms = 1;
  std::string source;
  Position position;
};

/// Properties of the GPU that the config assumes instead of the machine's GPU; 0: read from the device.
struct StatedDevice {
  int64_t max_warps = 0;
  int lanes = 0;
};

struct Resources {
  double build_s = 120;
  double case_s = 120;        // wall time that one call may take, and five times of it if small problems were slow too
  int64_t memory_mib = 4096;  // in addition to the buffers of the problem and of a library
  int processes = 64;         // in addition to the threads of the case
  int64_t file_mib = 64;
  int64_t output_kib = 64;  // how much of stdout and stderr is kept
};

/// The container image in which variants are built and run.
struct ContainerConfig {
  std::string program;              // "podman", "docker", "apptainer"; empty: the config names no container
  std::string image;                // empty: the default
  std::vector<std::string> mounts;  // folders of this machine, read-only
};

/// Whether bundles of the lab may contain submitted sources.
enum class Submissions { kept_private, shared };
template <>
struct Spelling<Submissions> {
  static constexpr std::string_view words[] = {"private", "shared"};
};

struct Config {
  std::string path;  // as given
  std::string text;  // the file, for the record
  std::string lab, title, kernel;
  std::string about;  // free text of the report's first page
  Dtype dtype = Dtype::f32;
  std::string baseline;
  std::vector<std::string> vendors;  // the variants that percent_of_vendor is relative to
  std::vector<Position> vendor_positions;
  std::optional<RecordedBaseline> recorded;
  StatedDevice device;
  std::vector<std::string> forbid;  // libraries that no other variant may load
  std::optional<std::vector<std::string>> allowed_precisions;  // that a submission may declare
  double least_shapes = 0;          // share of the shapes of the check that a variant must support
  Position kernel_position, baseline_position, sandbox_position;
  std::vector<Sweep> sweeps;
  MeasurePolicy measure;
  Resources resources;
  std::vector<std::string> cxx_flags, gpu_flags;  // added to the defaults
  std::string sandbox;                            // empty: the default, or the container's program
  ContainerConfig container;
  Submissions submissions = Submissions::kept_private;
  /// `report:` for the Python report, validated and normalised:
  /// {"tables": [{title, sweep, rows: [..], columns: [..], values: [metric ..], variants: [glob ..], where:
  /// {axis: [..]}, caption, published}], "plots": [{title, sweep, kind, x, y: [..], series: [..], value,
  /// variants, where, log: [..], caption}], "exports": [{name, sweep, columns: [{name, metric | axis | parameter,
  /// unit, scale}]}], "example": {input, filter, stride, padding}}. A key without a value and
  /// without a default is absent.
  SharedJson report;
  std::vector<Published> published;
  std::vector<Claim> claims;
  std::optional<GradeRules> grade;
  ExecutorSettings executor;
  std::string run_hash;  // of all that a run depends on: the file without `grade` and `executor`
};

/// Reads and validates a file. The name of a config of the project is enough: "lab5". Errors look like `a.yaml:12:5: unknown key "tolarance" (did you mean
/// "tolerance"?)`.
Result<Config> load_config(const std::string& name, const std::string& rules_file = "");
/// The same from text; `path` is used in messages.
/// `rules_file`: a file with the rules that replace `grade`; empty: none.
Result<Config> parse_config(const std::string& text, const std::string& path, const std::string& rules_file = "");

/// Variants of the lab that those of students are compared with. The config has rules.
std::vector<std::string> compared_variants(const Config& config);

/// A path in a config is relative to the config's folder.
std::filesystem::path beside(const Config& config, const std::string& path);

/// JSON Schema (draft-07) generated from the table the parser uses.
nlohmann::json config_schema();

/// True if the glob "cpu_*" or "cpu_[ab]*" matches "cpu_avx".
bool glob_match(const std::string& pattern, const std::string& text);

}  // namespace harness
