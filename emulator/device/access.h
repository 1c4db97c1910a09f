// Runs on every memory access of a kernel, so it must be fast: it is inline and compiled once for each size
// and kind of access. watch.cpp and races.cpp report what is rare.
#pragma once

#include "emulator/device/variables.h"
#include "emulator/device/watch.h"

namespace lab::emulated {

/// The last write stands for an earlier one if whatever races with the earlier one races with it, too.
inline void Watch::remember_write(const Thread& t, Cell& c, const Use& use, unsigned mask) const {
  const auto stands_for = [&](const Use& earlier) {
    return earlier.thread == use.thread && earlier.sync == use.sync && earlier.lock == use.lock &&
           (earlier.is_atomic || !use.is_atomic);
  };
  if (c.write_phase != phase_) {
    c.write_phase = phase_;
    c.write_mask = mask & 15;
    c.other_write_mask = 0;
  } else if (stands_for(c.writer)) {
    c.write_mask = (c.write_mask | mask) & 15;
  } else {
    // Writes of two warps find more races than writes of two lanes of one warp.
    const bool keeps_other = c.other_write_mask && in_warp_of(t, c.writer) && !in_warp_of(t, c.other_writer) &&
                             (c.writer.is_atomic || !use.is_atomic);
    if (!keeps_other) {
      c.other_writer = c.writer;
      c.other_write_mask = c.write_mask;
    }
    c.write_mask = mask & 15;
  }
  c.writer = use;
}

template <Watch::Space space, unsigned bytes, lab_access access, class AnyCell>
inline void Watch::touch(Thread& t, AnyCell& c, const char* p, unsigned mask, uint64_t site) {
  constexpr bool global = space == Space::global;
  const auto here = [&] { return Access{t, p, bytes, access, site}; };

  const Use use{static_cast<uint32_t>(site), t.index, t.lock, access == lab_access_atomic, t.sync};

  if (c.write_phase == phase_) {
    if (!(c.write_mask & mask && race(here(), space, c.writer, lab_access_write)) && (c.other_write_mask & mask))
      race(here(), space, c.other_writer, lab_access_write);
  } else if constexpr (global) {
    if (c.write_phase >= launch_phase_ && c.write_phase < block_phase_ && ((c.write_mask | c.other_write_mask) & mask))
      race_with_write_of_block(here(), c);
  }
  if constexpr (global && access == lab_access_atomic) {
    // Its block may have updated it atomically since then, which orders nothing for other blocks.
    if (c.writer.is_atomic && c.plain_phase >= launch_phase_ && c.plain_phase < block_phase_)
      race_of_blocks(here(), c.plain_phase, c.plain_site, any_thread, lab_access_write);
  }

  if constexpr (global && access == lab_access_atomic) {
    if (c.writer.is_atomic && c.write_phase >= launch_phase_ && c.write_phase < block_phase_) {
      c.atomic_phase = c.write_phase;
      c.atomic_site = c.writer.site;
    }
  } else if constexpr (global) {
    if (c.write_phase >= block_phase_ && c.atomic_phase >= launch_phase_ && c.atomic_phase < block_phase_)
      race_with_earlier_update(here(), c);
  }

  if constexpr (access != lab_access_write) {
    if ((c.initialised & mask) != mask && !overwrites) uninitialised(here(), space);
    if (c.flags & Cell::pending) copy_pending(here());
  }

  if constexpr (access == lab_access_read) {
    if (c.read_phase != phase_) {
      if constexpr (global) {
        if (c.read_phase >= launch_phase_ && c.read_phase < block_phase_) {
          c.earlier_phase = c.read_phase;
          c.earlier_site = c.other_reader.site;
          c.earlier_mask = c.read_mask() & 15;
        }
      }
      c.read_phase = phase_;
      c.first_reader = c.other_reader = use;
      c.first_mask = c.other_mask = mask & 15;
    } else {
      if (ordered(t, c.first_reader)) {
        c.first_reader = c.other_reader;
        c.first_mask = c.other_mask;
      }
      // Two readers are remembered, of different warps if there are: one of them races with any write that races
      // with a third one. With more, a race on single bytes may be missed.
      if (c.first_reader.thread == t.index) {
        c.first_reader = use;
        c.first_mask = (c.first_mask | mask) & 15;
      } else if (in_warp_of(t, c.first_reader) && !in_warp_of(t, c.other_reader)) {
        c.first_reader = use;
        c.first_mask = mask & 15;
      } else {
        c.other_mask = ((c.other_reader.thread == t.index ? c.other_mask : 0u) | mask) & 15;
        c.other_reader = use;
      }
    }
  } else {
    if (c.read_phase == phase_) {
      if (!(c.first_mask & mask && race(here(), space, c.first_reader, lab_access_read)) && (c.other_mask & mask))
        race(here(), space, c.other_reader, lab_access_read);
    } else if constexpr (global) {
      if (c.read_phase >= launch_phase_ && c.read_phase < block_phase_ && (c.read_mask() & mask))
        race_of_blocks(here(), c.read_phase, c.other_reader.site, c.other_reader.thread, lab_access_read);
    }
    if constexpr (global) {
      if (c.earlier_phase >= launch_phase_ && c.earlier_phase < block_phase_ && (c.earlier_mask & mask))
        race_of_blocks(here(), c.earlier_phase, c.earlier_site, any_thread, lab_access_read);
    }
    remember_write(t, c, use, mask);
    if constexpr (global && access == lab_access_write) {
      c.plain_phase = phase_;
      c.plain_site = static_cast<uint32_t>(site);
    }
    c.initialised = (c.initialised | mask) & 15;
  }
}

template <unsigned bytes, lab_access access>
inline void Watch::access(Thread& t, const void* address, uint64_t site) {
  settle();
  const char* p = static_cast<const char*>(address);
  const auto here = [&] { return Access{t, p, bytes, access, site}; };
  const auto mask = [](uint64_t offset) {
    return bytes >= 4 ? 15u : (((1u << bytes) - 1) << (offset & 3)) & 15u;
  };
  const auto in_shared = static_cast<size_t>(p - shared_base_);
  if (in_shared < Processor::shared_capacity) {
    if (in_shared % bytes != 0) misaligned(here());
    for (size_t o = in_shared; o < in_shared + bytes; o += 4) {
      Cell& c = shared_[o / 4];
      if (!(c.flags & Cell::usable)) outside_shared(here());
      if (c.write_phase < block_phase_)
        c.initialised = 0;  // written by an earlier block, which had its own shared memory
      touch<Space::shared, bytes, access>(t, c, p, mask(o), site);
    }
    if (access != lab_access_atomic || counts_atomics)
      requests_.add(Requests::Space::shared, t.warp, t.lane, static_cast<uint32_t>(in_shared), bytes, access,
                  site);
    return;
  }
  const uint64_t in_global = arena_.offset(p);
  if (in_global >= arena_.used()) {
    if (processor_.stacks().same(p, __builtin_frame_address(0))) return;  // the thread's own
    if (!is_device_variable(p)) return elsewhere(here());
    for (const char* at = p; at < p + bytes; at += 4) {
      GlobalCell& c = variable_cell(at);
      c.initialised = 15;
      touch<Space::global, bytes, access>(t, c, p, mask(reinterpret_cast<uint64_t>(p)), site);
    }
    return;
  }
  if (in_global % bytes != 0) misaligned(here());
  for (uint64_t o = in_global; o < in_global + bytes; o += 4) {
    GlobalCell& c = arena_.cell(o);
    if (!(c.flags & Cell::usable)) outside_global(here());
    if constexpr (access == lab_access_read) {
      if (c.launch != launch_) {
        c.launch = launch_;
        requests_.fresh(bytes < 4 ? bytes : 4);
      }
    } else {
      if (c.flags & Cell::read_only) input_written(here());
    }
    touch<Space::global, bytes, access>(t, c, p, mask(o), site);
  }
  if (access != lab_access_atomic || counts_atomics)
    requests_.add(Requests::Space::global, t.warp, t.lane, static_cast<uint32_t>(in_global), bytes, access,
                site);
}

}  // namespace lab::emulated
