// A race: two threads access the same address, at least one of them writes, and nothing orders the two
// accesses.
#include <algorithm>
#include <cstring>

#include "emulator/device/variables.h"
#include "emulator/device/watch.h"

namespace lab::emulated {

uint64_t Watch::block_of(uint32_t phase) const {
  const auto after = std::upper_bound(block_phases_.begin(), block_phases_.end(), phase);
  return after == block_phases_.begin() ? 0 : blocks_[static_cast<size_t>(after - block_phases_.begin()) - 1];
}

/// Did the block of this phase later call __threadfence, which makes its writes visible to others? After a barrier any
/// thread may do that for all; before it, each warp must (a warp may have waited for its own lanes).
bool Watch::fenced(uint32_t phase, int thread) const {
  const auto after = std::upper_bound(block_phases_.begin(), block_phases_.end(), phase);
  if (after == block_phases_.begin()) return false;
  const Fence& fence = fences_[static_cast<size_t>(after - block_phases_.begin()) - 1];
  if (fence.phase != phase) return fence.phase > phase;
  return thread == any_thread || (fence.warps >> thread / static_cast<int>(lanes_) % 32 & 1) != 0;
}

lab_origin Watch::other_origin(uint16_t thread, uint64_t code, lab_access access) const {
  return processor_.origin_of(processor_.thread(thread), code, access);
}

const Cell* Watch::find_cell(const void* p) const {
  if (is_shared(p)) return &shared_[static_cast<size_t>(static_cast<const char*>(p) - shared_base_) / 4];
  return arena_.find_cell(p);
}

void Watch::guessed(const Thread& t, const void* p) {
  const Cell* c = find_cell(p);
  if (!c || c->read_phase != phase_) return;
  for (const Use& reader : {c->first_reader, c->other_reader})
    if (reader.thread == t.index) guesses_.insert(reader.site);
}

void Watch::only_for_block(Thread& t, const void* p, uint64_t site) {
  const Cell* c = is_shared(p) ? nullptr : find_cell(p);
  if (!c || !c->writer.is_atomic) return;
  if (c->write_phase >= launch_phase_ && c->write_phase < block_phase_)
    race_of_blocks({t, static_cast<const char*>(p), 4, lab_access_atomic, site}, c->write_phase, c->writer.site,
                   c->writer.thread, lab_access_atomic);
}

/// `old = *p; do { assumed = old; old = atomicCAS(p, assumed, ...); } while (old != assumed)`: whatever the first line
/// reads while others update *p atomically, atomicCAS finds out whether it is still true.
bool Watch::is_guess(const Access& a, uint32_t other_site, bool other_is_atomic, lab_access with) const {
  if (a.access == lab_access_read) return other_is_atomic && guesses_.contains(static_cast<uint32_t>(a.site));
  return a.access == lab_access_atomic && with == lab_access_read && guesses_.contains(other_site);
}

// Between threads of one block, since its last barrier. True if it is one, or if the written value decides.
bool Watch::race(const Access& a, Space space, const Use& other, lab_access with) {
  if (other.thread == a.thread.index || ordered(a.thread, other)) return false;
  const bool written = with == lab_access_write;
  if (written && other.is_atomic && a.access == lab_access_atomic) return false;
  if (is_guess(a, other.site, written && other.is_atomic, with)) return false;
  const lab_diagnostic_kind kind = space == Space::shared ? lab_race_shared : lab_race_global;
  const lab_origin mine = processor_.origin_of(a.thread, a.site, a.access);
  const lab_origin theirs = other_origin(other.thread, other.site, with);
  if (written && a.access == lab_access_write) {  // writing the same value twice is no race
    unsettled_ = {a.p, a.bytes, {}, kind, mine, theirs};
    std::memcpy(unsettled_.before, a.p, a.bytes);
    return true;
  }
  found(kind, mine, theirs, 0, 0, a.bytes);
  return true;
}

void Watch::race_with_write_of_block(const Access& a, const Cell& c) {
  const bool is_atomic = c.writer.is_atomic && (!c.other_write_mask || c.other_writer.is_atomic);
  if (is_atomic && a.access == lab_access_atomic) {
    waited_ = true;
    return;
  }
  const Use& other = c.writer.is_atomic && !is_atomic ? c.other_writer : c.writer;
  if (is_guess(a, other.site, is_atomic, lab_access_write)) return;
  race_of_blocks(a, c.write_phase, other.site, other.thread, lab_access_write);
}

// The block has updated the cell atomically after another block did. That orders its plain writes to this cell, as those of the
// last block that sets a counter back, but no reads. A block that writes and is not the last one races with the next update.
void Watch::race_with_earlier_update(const Access& a, const GlobalCell& c) {
  if (a.access != lab_access_write && !is_guess(a, c.atomic_site, true, lab_access_write))
    race_of_blocks(a, c.atomic_phase, c.atomic_site, any_thread, lab_access_write);
}

void Watch::race_of_blocks(const Access& a, uint32_t phase, uint64_t other_site, int other_thread,
                           lab_access with) {
  if (with == lab_access_read && is_guess(a, static_cast<uint32_t>(other_site), false, with)) return;
  const bool both_write = a.access == lab_access_write && with == lab_access_write;
  if (fenced(phase, other_thread)) {
    // A block that only writes has not waited for the other one.
    if (with == lab_access_write && !both_write) waited_ = true;
    if (!both_write || waited_) return;
  }
  const uint64_t block = block_of(phase);
  const dim3 grid = processor_.launch().grid;
  lab_origin theirs = other_origin(static_cast<uint16_t>(std::max(0, other_thread)), other_site, with);
  theirs.block[0] = static_cast<uint32_t>(block % grid.x);
  theirs.block[1] = static_cast<uint32_t>(block / grid.x % grid.y);
  theirs.block[2] = static_cast<uint32_t>(block / grid.x / grid.y);
  const lab_origin mine = processor_.origin_of(a.thread, a.site, a.access);
  if (both_write) {
    unsettled_ = {a.p, a.bytes, {}, lab_race_blocks, mine, theirs};
    std::memcpy(unsettled_.before, a.p, a.bytes);
    return;
  }
  found(lab_race_blocks, mine, theirs, 0, 0, a.bytes);
}

void Watch::settle_now() {
  const Unsettled u = unsettled_;
  unsettled_.bytes = 0;
  if (std::memcmp(u.p, u.before, u.bytes) != 0) found(u.kind, u.origin, u.other, 0, 0, u.bytes);
}

}  // namespace lab::emulated
