// Stacks for the threads of one block. They are created when first needed and kept.
#pragma once

#include <cstddef>
#include <vector>

#include "emulator/device/device.h"

namespace lab::emulated {

class Stacks {
 public:
  static constexpr size_t bytes = 64 << 10;
  static constexpr size_t most_threads = 16384;  // of a cooperative launch, whose blocks run at the same time

  Stacks() = default;
  Stacks(const Stacks&) = delete;
  Stacks& operator=(const Stacks&) = delete;
  ~Stacks();

  /// The upper end of stack i, minus an offset that differs from stack to stack: with equal addresses modulo
  /// the page size, all stacks would use the same cache lines. Null: no memory.
  char* top(size_t i);
  bool holds(const void* p) const {
    return static_cast<size_t>(static_cast<const char*>(p) - base_) < capacity * slot;
  }
  /// Are both on the same stack?
  bool same(const void* p, const void* q) const {
    const auto slot_of = [&](const void* at) { return static_cast<size_t>(static_cast<const char*>(at) - base_) / slot; };
    return holds(p) && slot_of(p) == slot_of(q);
  }
  /// Is it in the guard page below a stack?
  bool below_a_stack(const void* p) const {
    return holds(p) && static_cast<size_t>(static_cast<const char*>(p) - base_) % slot < guard;
  }

 private:
  static constexpr size_t guard = 4096, slot = bytes + guard, capacity = most_threads + max_threads_per_block;
  char* base_ = nullptr;
  size_t made_ = 0;
};

}  // namespace lab::emulated
