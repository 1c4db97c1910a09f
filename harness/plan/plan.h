// Turns a config into the list of cases: every point of every sweep, or the reason why a point is left out.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/base/result.h"
#include "harness/config/config.h"
#include "harness/kernel/kernel.h"

namespace harness {

/// LAB_TUNE(BLOCK, 16, 32, 64): a macro, and the values that `harness tune` tries.
struct TuneParameter {
  std::string name;
  std::vector<int64_t> values;
};

/// A row of the table beside a source: the values of its parameters that were fastest on a device.
struct TunedValues {
  std::string device;
  Dtype dtype = Dtype::f32;
  std::string run;  // that found them
  Axes values;
};

/// What the source of a variant says about itself. The harness reads it as text and never runs it.
struct VariantInfo {
  std::string name;     // file name without extension
  std::string file;     // path
  std::string summary;  // first line of the head comment
  std::string head;     // the whole head comment
  std::string drawing;  // its lines after "Drawing:", for reports/drawing.py
  bool gpu = false;
  std::vector<std::string> includes;  // names of the files that it includes, without folders
  std::string defect;   // a mistake that the text alone shows; such a source is not compiled
  bool from_submission = false;
  std::vector<Dtype> dtypes;
  std::vector<std::string> needs;                           // LAB_NEEDS(...)
  std::string precision;                                    // LAB_PRECISION(...); empty: the precision of the type
  std::vector<std::pair<std::string, std::string>> macros;  // #ifndef BLOCK / #define BLOCK 64: name, default
  std::vector<TuneParameter> tune;
  std::vector<TunedValues> tuned;  // of its table (plan/tuned.h)
};

struct Case {
  std::string sweep;
  std::string variant;
  Dtype dtype = Dtype::f32;
  Axes axes;        // what the YAML swept or set, in its order (size, BLOCK, threads ...)
  Axes macros;      // the upper-case part of axes: -D options
  Axes parameters;  // the part of axes that are parameters of the kernel
  int threads = 1;
  ProblemPtr problem;
  std::optional<std::string> skip;  // the reason why the case is SKIPPED

  /// "lab5/gpu_blocks/gpu_shared size=1024 BLOCK=16"
  std::string id;
};

/// Both compute the same result from the same inputs.
bool same_problem(const Case& a, const Case& b);

struct Excluded {
  std::string sweep, variant;
  Axes axes;
  std::string reason;
};

struct Plan {
  std::vector<Case> cases;  // those that are selected
  std::vector<Case> all;
  std::vector<Excluded> excluded;
};

/// What --variant, --sweep and --set select.
struct Selection {
  std::vector<std::string> variants;  // globs; empty: all
  std::vector<std::string> sweeps;
  std::vector<std::pair<std::string, std::string>> set;  // axis=value: keeps the swept points that have it,
                                                         // or overrides where the axis is not swept
};

/// `variants`: all variants, of the lab and of the submission. Unknown names are errors with a suggestion;
/// an empty selection is an error with ExitCode::nothing_selected.
Result<Plan> make_plan(const Config& config, const Kernel& kernel, const std::vector<VariantInfo>& variants,
                       const Selection& selection);

}  // namespace harness
