// --variant, --sweep and --set.
#pragma once

#include "harness/base/result.h"
#include "harness/kernel/kernel.h"
#include "harness/plan/expand.h"

namespace harness {

/// Keeps the points that are selected. Nothing left: ExitCode::nothing_selected.
Done select(const Selection& selection, const Kernel& kernel, Points& points);

}  // namespace harness
