// Locks between the threads of a block: an atomic function takes one by changing it from 0, __threadfence follows, and after
// another __threadfence an atomic function of the same thread gives it back. What two threads do under one lock does not race.
#include "emulator/device/watch.h"

namespace lab::emulated {

void Watch::may_take(Thread& t, const void* p) const {
  if (!t.lock) t.taken = p;
}

void Watch::fence(Thread& t, lab_scope scope) {
  if (scope == lab_scope_device) {
    if (fences_.back().phase != phase_) fences_.back() = {phase_, 0};
    fences_.back().warps |= 1u << t.warp % 32;
  }
  if (t.lock) t.is_lock_fenced = true;
  if (t.lock || !t.taken || !held_.insert(t.taken).second) return;
  // Two locks may get the same number, which hides a race of code that uses the wrong one.
  constexpr uint64_t numbers = 31;
  t.lock = static_cast<uint8_t>(1 + reinterpret_cast<uint64_t>(t.taken) / 4 % numbers);
  t.is_lock_fenced = false;
}

bool Watch::gives_back(Thread& t, const void* p) {
  if (t.taken != p) return false;
  const bool had = t.lock != 0;
  // Without the fence the next thread may miss the writes of this one: the lock stays, so that nobody has it any more.
  if (had && t.is_lock_fenced) held_.erase(p);
  t.lock = 0;
  t.taken = nullptr;
  return had;
}

}  // namespace lab::emulated
