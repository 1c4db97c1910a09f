// Can this axis be varied here? A macro must be one of the sources', everything else a parameter of the
// kernel.
#pragma once

#include <string>
#include <vector>

#include "harness/base/result.h"
#include "harness/kernel/kernel.h"
#include "harness/plan/plan.h"

namespace harness {

/// `variants`: those that the axis applies to. The error's message has no place yet.
Done check_axis(const std::string& name, const std::vector<Value>& values,
                const std::vector<const VariantInfo*>& variants, const Kernel& kernel);

/// Most threads a case may ask for.
inline constexpr int64_t most_threads = 4096;

}  // namespace harness
