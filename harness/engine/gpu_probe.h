// A worker on the GPU without a variant: it measures the device's limits, and answers runs by doing nothing.
#pragma once

#include "harness/engine/context.h"

namespace harness {

/// Built for this GPU, once. The error is the compiler's, the machine's or the worker's.
Result<Worker> start_gpu_probe(const Context& context, Dtype dtype);

}  // namespace harness
