#include "emulator/device/watch.h"

#include <algorithm>
#include <cstring>

#include "emulator/device/diagnostics.h"
#include "emulator/device/options.h"

namespace lab::emulated {

Watch::Watch(Processor& processor)
    : processor_(processor),
      arena_(Arena::get()),
      lanes_(static_cast<unsigned>(options().lanes)),
      shared_base_(processor.shared_base()),
      shared_(new Cell[Processor::shared_capacity / 4]) {}

void Watch::begin_launch(size_t shared_before) {
  for (size_t o = 0; o < shared_before + Processor::shared_lead; o += 4) shared_[o / 4].flags = 0;
  // Before the counter overflows, after 2^32 barriers. No lab reaches this.
  launch_ = processor_.launch().number;
  launch_phase_ = phase_ + 1;
  block_phases_.clear();
  blocks_.clear();
  fences_.clear();
  held_.clear();
  requests_.begin_launch(processor_.launch().kernel, processor_.launch().threads());
}

void Watch::begin_block(uint64_t block) {
  block_phase_ = ++phase_;
  block_phases_.push_back(phase_);
  blocks_.push_back(block);
  fences_.emplace_back();
  waited_ = false;
}

std::vector<Cell> Watch::shared_cells(size_t bytes) const {
  std::vector<Cell> cells(shared_.get(), shared_.get() + bytes / 4);
  for (Cell& c : cells)
    if (c.write_phase < block_phase_) c.initialised = 0;  // written by an earlier block
  return cells;
}

void Watch::enter_block(uint64_t block, const std::vector<Cell>& cells) {
  begin_block(block);
  std::copy(cells.begin(), cells.end(), shared_.get());
  for (size_t i = 0; i < cells.size(); ++i) shared_[i].write_phase = block_phase_;
  next_phase();
}

void Watch::shared_usable(size_t offset, size_t bytes) {
  for (size_t o = offset / 4 * 4; o < offset + bytes; o += 4) shared_[o / 4].flags = Cell::usable;
}

void Watch::found(lab_diagnostic_kind kind, const lab_origin& origin, const lab_origin& other, int64_t offset,
                  int64_t extent, unsigned bytes, int buffer) {
  lab_diagnostic f = {};
  f.kind = kind;
  f.bytes = bytes;
  f.origin = origin;
  f.other = other;
  f.offset = offset;
  f.extent = extent;
  f.buffer = buffer + 1;
  f.count = 1;
  Diagnostics::get().add(f, processor_.launch().kernel);
}

// A stack belongs to its thread. All other memory belongs to the host.
void Watch::elsewhere(const Access& a) {
  if (processor_.stacks().holds(a.p)) {
    found(lab_local_bounds, processor_.origin_of(a.thread, a.site, a.access), {}, 0, 0, a.bytes);
    processor_.give_up(cudaErrorIllegalAddress);
  }
  const auto address = reinterpret_cast<uint64_t>(a.p);
  const bool null = address < 4096;
  found(null ? lab_illegal_address : lab_host_pointer, processor_.origin_of(a.thread, a.site, a.access), {},
        null ? static_cast<int64_t>(address) : 0, 0, a.bytes);
  processor_.give_up(cudaErrorIllegalAddress);
}

void Watch::misaligned(const Access& a) {
  found(lab_misaligned, processor_.origin_of(a.thread, a.site, a.access), {},
        static_cast<int64_t>(reinterpret_cast<uint64_t>(a.p) % a.bytes), 0, a.bytes);
  processor_.give_up(cudaErrorMisalignedAddress);
}

void Watch::outside_shared(const Access& a) {
  size_t start = 0, extent = 0;
  const auto offset = static_cast<size_t>(a.p - shared_base_);
  const bool known = processor_.shared_extent(offset, start, extent);
  found(lab_shared_bounds, processor_.origin_of(a.thread, a.site, a.access), {},
        known ? static_cast<int64_t>(offset) - static_cast<int64_t>(start) : 0,
        known ? static_cast<int64_t>(extent) : 0, a.bytes);
  processor_.give_up(cudaErrorIllegalAddress);
}

void Watch::outside_global(const Access& a) {
  if (arena_.was_released(arena_.offset(a.p))) {
    found(lab_freed, processor_.origin_of(a.thread, a.site, a.access), {}, 0, 0, a.bytes);
    processor_.give_up(cudaErrorIllegalAddress);
  }
  uint64_t start = 0;
  const Allocation* near = arena_.nearest(arena_.offset(a.p), start);
  found(lab_out_of_bounds, processor_.origin_of(a.thread, a.site, a.access), {},
        near ? static_cast<int64_t>(arena_.offset(a.p)) - static_cast<int64_t>(start + near->first) : 0,
        near ? static_cast<int64_t>(near->extent) : 0, a.bytes, near ? near->buffer : -1);
  processor_.give_up(cudaErrorIllegalAddress);
}

void Watch::input_written(const Access& a) {
  uint64_t start = 0;
  const Allocation* near = arena_.nearest(arena_.offset(a.p), start);
  found(lab_input_written, processor_.origin_of(a.thread, a.site, a.access), {},
        near ? static_cast<int64_t>(arena_.offset(a.p)) - static_cast<int64_t>(start + near->first) : 0,
        near ? static_cast<int64_t>(near->extent) : 0, a.bytes, near ? near->buffer : -1);
  processor_.give_up(cudaErrorIllegalAddress);
}

void Watch::uninitialised(const Access& a, Space space) {
  found(space == Space::shared ? lab_uninitialised_shared : lab_uninitialised_global,
        processor_.origin_of(a.thread, a.site, a.access), {}, 0, 0, a.bytes);
}

void Watch::copy_pending(const Access& a) {
  found(lab_copy_pending, processor_.origin_of(a.thread, a.site, a.access), {}, 0, 0, a.bytes);
}

void Watch::pending(const void* p, unsigned bytes, bool is_pending) {
  const auto in_shared = static_cast<size_t>(static_cast<const char*>(p) - shared_base_);
  if (in_shared >= Processor::shared_capacity) return;
  for (size_t o = in_shared; o < in_shared + bytes; o += 4) {
    Cell& c = shared_[o / 4];
    c.flags = static_cast<uint8_t>(is_pending ? c.flags | Cell::pending : c.flags & ~Cell::pending);
  }
}

}  // namespace lab::emulated
