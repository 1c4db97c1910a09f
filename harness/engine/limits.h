// The limits of this machine, from the cache or by a short measurement.
#pragma once

#include "harness/engine/metrics.h"
#include "harness/engine/recorder.h"

namespace harness {

/// Measures unknown limits only if cases are still to be timed. Writes all limits to the run.
Result<MachineLimits> find_limits(const PlacedLab& lab, const Cases& cases, Recorder& recorder);

/// How many times its limit for floats a CPU may reach with shorter numbers. An x86 processor without AMX has only its vector units,
/// which multiply two short numbers in the place of one float.
double most_faster(const CpuInfo& cpu);

/// A CPU limit that a case beats may have been measured while the machine was busy. Measures it again and keeps the
/// higher value. Does nothing for limits of a GPU, and after a few times in one run.
Done measure_again(const PlacedLab& lab, const MachineLimit& beaten, MachineLimits& limits, Recorder& recorder);

}  // namespace harness
