// Stacks for the threads of one block, made when first needed and kept.
#pragma once

#include <cstddef>
#include <vector>

namespace lab::emulated {

class Stacks {
 public:
  static constexpr size_t bytes = 64 << 10;

  Stacks() = default;
  Stacks(const Stacks&) = delete;
  Stacks& operator=(const Stacks&) = delete;
  ~Stacks();

  /// The upper end of stack i, less a little that differs from stack to stack: equal addresses modulo the
  /// page would all fall into the same lines of the cache. Null: no memory.
  char* top(size_t i);
  bool holds(const void* p) const {
    return static_cast<size_t>(static_cast<const char*>(p) - base_) < capacity * slot;
  }
  /// Is it in the page below a stack, where an overflow ends?
  bool below_a_stack(const void* p) const {
    return holds(p) && static_cast<size_t>(static_cast<const char*>(p) - base_) % slot < guard;
  }

 private:
  static constexpr size_t guard = 4096, slot = bytes + guard, capacity = 1024;
  char* base_ = nullptr;
  size_t made_ = 0;
};

}  // namespace lab::emulated
