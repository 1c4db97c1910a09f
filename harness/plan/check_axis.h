// Checks that an axis can be varied: a macro must be in the sources, anything else must be a parameter of the kernel.
#pragma once

#include <string>
#include <vector>

#include "harness/base/result.h"
#include "harness/kernel/kernel.h"
#include "harness/plan/plan.h"

namespace harness {

/// `variants`: those that the axis applies to. The error's message has no position yet.
Done check_axis(const std::string& name, const std::vector<Value>& values,
                const std::vector<const VariantInfo*>& variants, const Kernel& kernel);

/// Maximum number of threads of a case.
inline constexpr int64_t most_threads = 4096;

}  // namespace harness
