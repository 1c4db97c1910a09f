// Turns sweeps into points: chooses variants by name, multiplies the axes out, removes excludes, adds includes.
#pragma once

#include <vector>

#include "harness/base/result.h"
#include "harness/config/config.h"
#include "harness/kernel/kernel.h"
#include "harness/plan/plan.h"

namespace harness {

/// A point of a sweep. It becomes a case when the kernel has accepted its axes.
struct Point {
  const Sweep* sweep = nullptr;
  const VariantInfo* variant = nullptr;
  Axes axes;
  std::string origin;  // the part of the config or command line that asks for it: "a.yaml:4:5", "--set size=64"
};

struct Points {
  std::vector<Point> points;
  std::vector<Excluded> excluded;
};

/// Adds the points of one sweep. The first axis varies slowest and the variants fastest, so that cases that are
/// compared are neighbours. `joining`: submitted variants that no sweep names. Errors carry the position in the file.
Done expand(const Sweep& sweep, const std::vector<VariantInfo>& variants,
            const std::vector<const VariantInfo*>& joining, const Kernel& kernel, Points& points);

/// The variants that a sweep names, in its order.
Result<std::vector<const VariantInfo*>> choose_variants(const Sweep& sweep,
                                                        const std::vector<VariantInfo>& variants);

/// True if the source has a default for this macro.
bool has_macro(const VariantInfo& variant, const std::string& name);

}  // namespace harness
