#include "emulator/device/stacks.h"

#include <sys/mman.h>

namespace lab::emulated {

char* Stacks::top(size_t i) {
  if (!base_) {
    void* p = mmap(nullptr, capacity * slot, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) return nullptr;
    base_ = static_cast<char*>(p);
  }
  for (; made_ <= i; ++made_)
    if (mprotect(base_ + made_ * slot + guard, bytes, PROT_READ | PROT_WRITE) != 0) return nullptr;
  return base_ + (i + 1) * slot - (i % 29) * 128;
}

Stacks::~Stacks() {
  if (base_) munmap(base_, capacity * slot);
}

}  // namespace lab::emulated
