// The global memory of the device: a reserved range of addresses, with a cell of shadow memory for each four
// bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "emulator/device/cell.h"

namespace lab::emulated {

/// Fills memory that nothing has written yet with NaN of every type of number, so that its use shows in the result. It is
/// not the NaN that an output holds before a kernel, so the harness can tell them apart.
void unset(void* memory, size_t bytes);

struct Allocation {
  size_t bytes = 0;
  size_t first = 0, extent = 0;  // the part that kernels may use
  bool writable = true;
  bool managed = false;  // the host may use it, too
  int buffer = -1;       // which one of the problem's; the work space comes after them
  std::vector<char> loaded = {};  // only of an output: its bytes before the call, as the harness copied them there
};

class Arena {
 public:
  static Arena& get();

  /// Aligned to 256 bytes, as cudaMalloc promises. Null: no memory.
  void* alloc(size_t bytes);
  bool release(void* p);
  void manage(void* p) { live_[offset(p)].managed = true; }
  bool managed(const void* p) const;
  bool restrict_to(void* p, size_t first, size_t extent, bool writable, int buffer = -1);

  /// Anything at or above used() is not device memory.
  uint64_t offset(const void* p) const { return reinterpret_cast<uint64_t>(p) - base_; }
  char* address(uint64_t offset) const { return reinterpret_cast<char*>(base_ + offset); }
  uint64_t used() const { return top_; }
  bool holds(const void* p) const { return offset(p) < top_; }
  /// Is [p, p + bytes) inside one allocation? Kernels may be allowed to use only a part of it.
  bool inside(const void* p, size_t bytes) const;
  GlobalCell& cell(uint64_t offset) const { return cells_[offset / 4]; }
  /// The allocation that contains this offset or is next to it, and its start as an offset.
  const Allocation* nearest(uint64_t offset, uint64_t& start) const;
  /// Was this offset part of an allocation that was released?
  bool was_released(uint64_t offset) const;
  /// Marks bytes as written.
  void initialise(const void* p, size_t bytes);
  /// Who wrote last, if no kernel did. host: a copy from the host; device: a fill or a library; input: the harness, into an input.
  enum class Writer : uint32_t { nobody, host, device, input };
  /// Marks bytes as written, and notes the writer.
  void written(const void* p, size_t bytes, Writer writer);
  /// The same for a copy on the device: each cell gets the writer of its source.
  void copied(const void* to, const void* from, size_t bytes);
  /// Is a byte that of an input, or a copy of one?
  bool holds_input(const void* p, size_t bytes) const;
  /// What is known of the bytes at p. Null: nothing, or it is not memory of the device.
  GlobalCell* find_cell(const void* p) const;
  /// Keeps the bytes of an output, or notes that they are an input's, after the harness has copied them to p.
  void note_loaded(const void* p);
  /// Keeps a part of them again, after the harness has drawn new values there.
  void note_drawn(const void* p, size_t bytes);
  /// True if a value of the output at p has changed since then, and nothing on the device wrote it.
  bool changed_by_host(const void* p) const;

  size_t total_bytes() const { return total_; }
  size_t free_bytes() const { return total_ - in_use_; }

 private:
  Arena();
  void mark(uint64_t start, const Allocation& a);

  uint64_t base_ = 0, top_ = 0;
  GlobalCell* cells_ = nullptr;
  size_t total_ = 0, in_use_ = 0;
  std::map<uint64_t, Allocation> live_;
  std::map<uint64_t, size_t> released_;  // start and bytes; no address is used twice
};

}  // namespace lab::emulated
