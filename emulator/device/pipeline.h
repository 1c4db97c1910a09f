// The asynchronous copies of one block's threads (cuda_pipeline_primitives.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "lab/diagnostics.h"

namespace lab::emulated {

class Processor;
class Watch;
struct Thread;

class Pipeline {
 public:
  /// Drops the copies that the threads of the last block did not wait for.
  void begin_block(Watch* watch);

  void copy(Thread& t, char* to, const char* from, size_t bytes, size_t zeros, uint64_t site);
  void commit(Thread& t) { ++queue(t).committed; }
  /// Executes the copies of the thread, except those of its last `batches_left` batches and of the
  /// uncommitted one.
  void wait(Thread& t, size_t batches_left);

  // Copies of cuda::barrier: all threads that wait for a phase of the barrier wait for them.
  /// How many copies of the thread are under way.
  size_t requested(const Thread& t) { return queue(t).copies.size(); }
  /// Those from `first` on now belong to the barrier.
  void give(Thread& t, const void* barrier, size_t first);
  /// The last thread has arrived in the phase: executes the copies. They stay pending until a thread waits.
  void complete(const void* barrier, unsigned phase);
  /// A thread has waited for this phase.
  void waited(const void* barrier, unsigned phase);

 private:
  struct Copy {
    char* to;
    const char* from;
    unsigned bytes, zeros;
    uint64_t batch, site;
  };
  struct Queue {
    std::vector<Copy> copies;
    uint64_t committed = 0;  // batches
  };

  struct BarrierCopies {
    const void* barrier;
    std::vector<std::pair<Thread*, Copy>> requested;
    std::vector<std::pair<unsigned, Copy>> executed;  // with the phase
  };

  Queue& queue(const Thread& t);
  void execute(Thread& t, const Copy& c);
  BarrierCopies* of_barrier(const void* barrier);
  [[noreturn]] void refuse(Thread& t, lab_diagnostic_kind kind, const void* p, size_t bytes, uint64_t site);

  std::vector<Queue> queues_;  // by thread; never shrinks
  std::vector<BarrierCopies> barriers_;
};

}  // namespace lab::emulated
