// The kernels that OpenBLAS should use on this CPU.
#pragma once

#include <string>

#include "harness/machine/machine.h"

namespace harness {

/// The best value of OPENBLAS_CORETYPE for a CPU with these features; empty if OpenBLAS has nothing better than its
/// default. OpenBLAS recognises CPUs by model number and uses its oldest kernels (Prescott, SSE3) on a model that is
/// newer than the library: 23 instead of 113 GFLOP/s on an Emerald Rapids with OpenBLAS 0.3.21.
std::string openblas_core(const CpuInfo& cpu);

}  // namespace harness
