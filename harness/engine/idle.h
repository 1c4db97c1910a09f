// Workers that compute nothing: what request, reply and fresh data cost here, on the buffers of a problem.
#pragma once

#include "harness/engine/context.h"
#include "harness/measure/clocks.h"

namespace harness {

class Idle {
 public:
  enum class On { cpu, gpu };

  explicit Idle(const Context& context) : context_(context) {}

  /// On the core and in the memory, or on the device, where variants are timed. Nothing of it is a variant's.
  Tried<Overhead> measure(const Inputs& inputs, On on, Of of);

 private:
  struct One {
    std::optional<Worker> worker;
    Dtype dtype = Dtype::f32;
  };
  Tried<Unit> start(One& one, Dtype dtype, On on);
  Tried<Overhead> measure_once(One& one, const Inputs& inputs, On on, Of of);

  const Context& context_;
  One cpu_, gpu_;
};

}  // namespace harness
