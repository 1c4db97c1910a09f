// Workers that compute nothing. Their times are the overhead of a call: request, reply and new data, on the buffers of
// a problem.
#pragma once

#include <functional>

#include "harness/client/client.h"
#include "harness/engine/lab.h"
#include "harness/measure/clocks.h"

namespace harness {

class IdleControl {
 public:
  enum class On { cpu, gpu };

  explicit IdleControl(const PlacedLab& lab) : lab_(lab) {}

  /// The least overhead, on the core and in the memory, or on the device, where variants are timed.
  Tried<Overhead> measure(const Inputs& inputs, On on);
  /// One batch now. The buffers stay until `release`.
  Tried<ClockedBatch> batch(const Inputs& inputs, On on, int calls);
  void release();

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

  const PlacedLab& lab_;
  One cpu_, gpu_;
};

}  // namespace harness
