// The counters of a cuda::barrier. The device looks at them when a thread waits too long.
#pragma once

namespace lab::emulated {

struct BarrierState {
  unsigned expected, missing, phase;  // missing: arrivals that this phase still waits for
};

}  // namespace lab::emulated

extern "C" {
/// How many copies of the thread are under way.
size_t lab_requested_copies();
/// Those from `first` on belong to the barrier.
void lab_barrier_copies(const lab::emulated::BarrierState*, size_t first);
/// The last thread has arrived in the phase: what threads of the block did before is ordered with what they do from now on.
void lab_barrier_complete(const lab::emulated::BarrierState*, unsigned phase);
/// The thread waits for the end of the phase: lets other threads run.
void lab_barrier_waits(const lab::emulated::BarrierState*, unsigned phase);
/// A thread has waited for the phase, and for the copies of it and of earlier ones.
void lab_barrier_waited(const lab::emulated::BarrierState*, unsigned phase);
}
