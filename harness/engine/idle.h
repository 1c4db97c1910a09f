// Workers that compute nothing: what request, reply and fresh data cost here, on the buffers of a problem.
#pragma once

#include <functional>

#include "harness/engine/context.h"
#include "harness/measure/clocks.h"

namespace harness {

class Idle {
 public:
  enum class On { cpu, gpu };

  explicit Idle(const Context& context) : context_(context) {}

  /// At best, on the core and in the memory, or on the device, where variants are timed. Nothing of it is a variant's.
  Tried<Overhead> measure(const Inputs& inputs, On on);
  /// One batch there and now. The buffers stay until `rest`.
  Tried<ClockedBatch> batch(const Inputs& inputs, On on, int calls);
  void rest();

 private:
  struct One {
    std::optional<Worker> worker;
    Dtype dtype = Dtype::f32;
    bool loaded = false;
  };
  One& one(On on) { return on == On::gpu ? gpu_ : cpu_; }
  Tried<Unit> start(One& one, Dtype dtype, On on);
  Tried<Unit> load(const Inputs& inputs, On on);
  Tried<Batch> run(One& one, On on, int calls);
  template <class T>
  Tried<T> twice(On on, const std::function<Tried<T>()>& ask);
  Tried<Overhead> measure_once(const Inputs& inputs, On on);

  const Context& context_;
  One cpu_, gpu_;
};

}  // namespace harness
