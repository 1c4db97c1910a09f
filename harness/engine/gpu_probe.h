// A worker on the GPU without a variant. It measures the limits of the device, and is the idle control of GPU variants.
#pragma once

#include "harness/client/client.h"
#include "harness/engine/lab.h"

namespace harness {

struct GpuProbe {
  Worker worker;
  GpuCapacity capacity;
};

/// It is compiled once for this GPU. Errors come from the compiler, the machine or the worker.
Result<GpuProbe> start_gpu_probe(const PlacedLab& lab);

}  // namespace harness
