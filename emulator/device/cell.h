// What the device remembers about four bytes of memory.
//
// A phase is a number that grows with every block and with every barrier of a block. Two accesses in the same
// phase have no barrier between them. A phase before the first one of the block or of the launch belongs to
// an earlier one, so that no cell has to be cleared between blocks or launches.
#pragma once

#include <cstdint>

namespace lab::emulated {

/// One access.
struct Use {
  uint32_t site = 0;
  uint16_t thread : 10 = 0, lock : 5 = 0, is_atomic : 1 = 0;
  uint16_t sync = 0;
};

struct Cell {
  static constexpr uint8_t usable = 1, read_only = 2, pending = 8;

  uint32_t write_phase = 0, read_phase = 0;
  Use writer, other_writer;        // in write_phase: the last write, and an earlier one that it does not stand for
  Use first_reader, other_reader;  // in read_phase; the same if there was only one
  // One bit per byte: threads that use different bytes of a cell do not race.
  uint8_t initialised : 4 = 0, earlier_mask : 4 = 0;       // written at all; in global memory: read in earlier_phase
  uint8_t write_mask : 4 = 0, other_write_mask : 4 = 0;    // written by writer, other_writer; none: there was no other
  uint8_t first_mask : 4 = 0, other_mask : 4 = 0;          // read by first_reader, other_reader
  uint8_t flags = 0;

  unsigned read_mask() const { return first_mask | other_mask; }
};

/// Several blocks of a launch may access global memory.
struct GlobalCell : Cell {
  uint32_t earlier_phase = 0, earlier_site = 0;  // the last read by a different block
  uint32_t plain_phase = 0, plain_site = 0;      // the last write that was not atomic
  uint32_t atomic_phase = 0, atomic_site = 0;    // the last atomic update by an earlier block than that of `writer`
  uint32_t launch = 0;                           // the last launch that read it
};

}  // namespace lab::emulated
