// A worker that computes nothing: what request, reply and fresh data cost here, on the buffers of a problem.
#pragma once

#include "harness/engine/context.h"
#include "harness/measure/clocks.h"

namespace harness {

class Idle {
 public:
  explicit Idle(const Context& context) : context_(context) {}

  /// On the core and in the memory where CPU variants are timed. Nothing of it is a variant's.
  Tried<Overhead> measure(const Inputs& inputs);

 private:
  Tried<Unit> start(Dtype dtype);
  Tried<Overhead> measure_once(const Inputs& inputs);

  const Context& context_;
  std::optional<Worker> worker_;
  Dtype dtype_ = Dtype::f32;
};

}  // namespace harness
