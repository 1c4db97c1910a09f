#include "emulator/device/variables.h"

#include <sys/mman.h>

#include <iterator>
#include <map>
#include <new>

#include "emulator/device/device.h"
#include "emulator/device/kernel.h"

extern "C" const char _end[] __attribute__((visibility("hidden")));  // from the linker: the end of the shared object

namespace lab::emulated {

GlobalCell& variable_cell(const void* p) {
  // Pages that nobody touches cost no memory.
  static GlobalCell* const cells = [] {
    const size_t count = static_cast<size_t>(_end - __ehdr_start) / 4 + 1;
    void* const all = mmap(nullptr, count * sizeof(GlobalCell), PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (all == MAP_FAILED) throw std::bad_alloc();
    return static_cast<GlobalCell*>(all);
  }();
  return cells[(static_cast<const char*>(p) - __ehdr_start) / 4];
}

static std::map<const char*, size_t>& host_variables() {
  static std::map<const char*, size_t> all;  // bytes by address
  return all;
}

bool is_device_variable(const void* p) {
  if (!in_module(p)) return false;
  const auto after = host_variables().upper_bound(static_cast<const char*>(p));
  if (after == host_variables().begin()) return true;
  const auto& [start, bytes] = *std::prev(after);
  return static_cast<const char*>(p) >= start + bytes;
}

}  // namespace lab::emulated

void lab_host_variable(const volatile void* p, size_t bytes) {
  lab::emulated::host_variables()[static_cast<const char*>(const_cast<const void*>(p))] = bytes;
}
