// Sweeps become points: variants chosen by name, axes multiplied out, excludes taken off, includes put on.
#pragma once

#include <vector>

#include "harness/base/result.h"
#include "harness/config/config.h"
#include "harness/kernel/kernel.h"
#include "harness/plan/plan.h"

namespace harness {

/// A case to be: what its kernel makes of the axes is not known yet.
struct Point {
  const Sweep* sweep = nullptr;
  const VariantInfo* variant = nullptr;
  Axes axes;
  std::string origin;  // where it was asked for: "a.yaml:4:5", "--set size=64"
};

struct Points {
  std::vector<Point> points;
  std::vector<Excluded> excluded;
};

/// Adds the points of one sweep: the first axis varies slowest, the variants fastest, so that what is
/// compared stands together. `joining`: submitted variants that no sweep names. Errors carry the place in the
/// file.
Done expand(const Sweep& sweep, const std::vector<VariantInfo>& variants,
            const std::vector<const VariantInfo*>& joining, const Kernel& kernel, Points& points);

/// The variants that a sweep names, in its order.
Result<std::vector<const VariantInfo*>> choose_variants(const Sweep& sweep,
                                                        const std::vector<VariantInfo>& variants);

/// True if the source has a default for this macro.
bool has_macro(const VariantInfo& variant, const std::string& name);

}  // namespace harness
