#include "emulator/device/arena.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <iterator>

#include "emulator/device/options.h"
#include "emulator/device/variables.h"

namespace lab::emulated {

void unset(void* memory, size_t bytes) {
  constexpr unsigned char nan[] = {0xfc, 0xff};
  for (size_t i = 0; i < bytes; ++i) static_cast<unsigned char*>(memory)[i] = nan[i % 2];
}

namespace {

constexpr size_t address_space =
    size_t{1} << 40;  // addresses are never used again, so that using a freed buffer stays an error
constexpr size_t page = 4096;

size_t round_up(size_t n, size_t unit) { return (n + unit - 1) / unit * unit; }

char* reserve(size_t bytes) {
  void* p = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return p == MAP_FAILED ? nullptr : static_cast<char*>(p);
}

const char* cell_start(const void* p) { return reinterpret_cast<const char*>(reinterpret_cast<uint64_t>(p) / 4 * 4); }

bool open_up(void* p, size_t bytes) { return mprotect(p, bytes, PROT_READ | PROT_WRITE) == 0; }

}  // namespace

Arena& Arena::get() {
  static Arena the_arena;
  return the_arena;
}

Arena::Arena() {
  base_ = reinterpret_cast<uint64_t>(reserve(address_space));
  if (options().diagnostics)
    cells_ = reinterpret_cast<GlobalCell*>(reserve(address_space / 4 * sizeof(GlobalCell)));
  const auto physical = static_cast<size_t>(sysconf(_SC_PHYS_PAGES)) * page;
  total_ = physical / 2;
}

void* Arena::alloc(size_t bytes) {
  // The pages before and after an allocation belong to no allocation.
  const size_t room = round_up(std::max<size_t>(bytes, 1), page) + page;
  if (base_ == 0 || bytes > total_ - in_use_ || top_ + room + page > address_space) return nullptr;
  const uint64_t start = top_ == 0 ? page : top_;
  char* p = reinterpret_cast<char*>(base_ + start);
  if (!open_up(p, room - page)) return nullptr;
  if (cells_) {
    char* from = reinterpret_cast<char*>(&cell(top_));
    char* to = reinterpret_cast<char*>(&cell(start + room));
    from -= reinterpret_cast<uint64_t>(from) % page;
    if (!open_up(from, round_up(static_cast<size_t>(to - from), page))) return nullptr;
  }
  if (cells_) unset(p, bytes);
  top_ = start + room;
  in_use_ += bytes;
  const Allocation a{bytes, 0, bytes, true};
  live_[start] = a;
  mark(start, a);
  return p;
}

bool Arena::release(void* p) {
  const auto at = live_.find(offset(p));
  if (at == live_.end()) return false;
  mark(at->first, Allocation{});
  const size_t length = round_up(std::max<size_t>(at->second.bytes, 1), page);
  madvise(p, length, MADV_DONTNEED);
  mprotect(p, length, PROT_NONE);
  if (cells_) {
    // The pages of the shadow memory that describe only this allocation.
    const auto from = round_up(reinterpret_cast<uint64_t>(&cell(at->first)), page);
    const auto to = reinterpret_cast<uint64_t>(&cell(at->first + length)) / page * page;
    // Read-only pages do not count towards the limit of private memory. Small parts stay, because each would be a mapping of its own.
    constexpr uint64_t much = 1 << 20;
    if (to > from) madvise(reinterpret_cast<void*>(from), to - from, MADV_DONTNEED);
    if (to > from + much) mprotect(reinterpret_cast<void*>(from), to - from, PROT_READ);
  }
  in_use_ -= at->second.bytes;
  released_[at->first] = at->second.bytes;
  live_.erase(at);
  return true;
}

bool Arena::restrict_to(void* p, size_t first, size_t extent, bool writable, int buffer) {
  const auto at = live_.find(offset(p));
  if (at == live_.end() || first > at->second.bytes || extent > at->second.bytes - first) return false;
  mark(at->first, Allocation{});
  at->second = {at->second.bytes, first, extent, writable, at->second.managed, buffer};
  mark(at->first, at->second);
  return true;
}

void Arena::mark(uint64_t start, const Allocation& a) {
  if (!cells_) return;
  const auto set = [&](uint64_t from, uint64_t to, uint8_t flags) {
    for (uint64_t o = from / 4 * 4; o < to; o += 4)
      cell(o).flags = static_cast<uint8_t>((cell(o).flags & ~(Cell::usable | Cell::read_only)) | flags);
  };
  if (a.bytes == 0) {
    if (const auto at = live_.find(start); at != live_.end()) set(start, start + at->second.bytes, 0);
    return;
  }
  const uint8_t flags = a.writable ? Cell::usable : Cell::usable | Cell::read_only;
  set(start + a.first, start + a.first + a.extent, flags);
}

bool Arena::inside(const void* p, size_t bytes) const {
  uint64_t start = 0;
  const Allocation* a = nearest(offset(p), start);
  // No sum that could overflow: a negative length arrives here as a huge one.
  return a && offset(p) >= start && offset(p) - start <= a->bytes && bytes <= a->bytes - (offset(p) - start);
}

bool Arena::was_released(uint64_t offset) const {
  const auto after = released_.upper_bound(offset);
  return after != released_.begin() && offset - std::prev(after)->first < std::prev(after)->second;
}

bool Arena::managed(const void* p) const {
  uint64_t start = 0;
  const Allocation* a = holds(p) ? nearest(offset(p), start) : nullptr;
  return a && a->managed && offset(p) >= start && offset(p) - start < a->bytes;
}

const Allocation* Arena::nearest(uint64_t at, uint64_t& start) const {
  if (live_.empty()) return nullptr;
  auto after = live_.upper_bound(at);
  const auto before = after == live_.begin() ? after : std::prev(after);
  auto best = before;
  // Is it closer to the next allocation than to the end of this one?
  if (after != live_.end() && before->first <= at && at >= before->first + before->second.bytes &&
      after->first - at < at - (before->first + before->second.bytes))
    best = after;
  start = best->first;
  return &best->second;
}

void Arena::written(const void* p, size_t bytes, Writer writer) {
  initialise(p, bytes);
  if (!cells_) return;
  // All writers are before the first phase of any kernel.
  for (const char* at = cell_start(p); at < static_cast<const char*>(p) + bytes; at += 4)
    if (GlobalCell* c = find_cell(at)) c->write_phase = static_cast<uint32_t>(writer);
}

void Arena::copied(const void* to, const void* from, size_t bytes) {
  initialise(to, bytes);
  if (!cells_) return;
  const char* const begin = static_cast<const char*>(to);
  for (const char* at = cell_start(to); at < begin + bytes; at += 4) {
    const GlobalCell* source = find_cell(static_cast<const char*>(from) + (std::max(at, begin) - begin));
    GlobalCell* target = find_cell(at);
    if (!source || !target) continue;
    const bool by_kernel = source->write_phase > static_cast<uint32_t>(Writer::input);
    target->write_phase = by_kernel ? static_cast<uint32_t>(Writer::device) : source->write_phase;
  }
}

bool Arena::holds_input(const void* p, size_t bytes) const {
  if (!cells_) return false;
  for (const char* at = cell_start(p); at < static_cast<const char*>(p) + bytes; at += 4)
    if (const GlobalCell* c = find_cell(at); c && c->write_phase == static_cast<uint32_t>(Writer::input)) return true;
  return false;
}

GlobalCell* Arena::find_cell(const void* p) const {
  if (!cells_) return nullptr;
  if (holds(p)) return &cell(offset(p));
  return is_device_variable(p) ? &variable_cell(p) : nullptr;
}

void Arena::note_loaded(const void* p) {
  const auto at = live_.find(offset(p));
  if (!cells_ || at == live_.end() || at->second.buffer < 0) return;
  if (!at->second.writable) return written(p, at->second.bytes, Writer::input);
  const char* data = static_cast<const char*>(p);
  at->second.loaded.assign(data, data + at->second.bytes);
}

void Arena::note_drawn(const void* p, size_t bytes) {
  const auto after = live_.upper_bound(offset(p));
  if (!cells_ || after == live_.begin()) return;
  auto& [start, allocation] = *std::prev(after);
  const uint64_t from = offset(p) - start;
  if (from + bytes <= allocation.loaded.size()) std::memcpy(&allocation.loaded[from], p, bytes);
}

bool Arena::changed_by_host(const void* p) const {
  const auto at = live_.find(offset(p));
  if (!cells_ || at == live_.end()) return false;
  const std::vector<char>& loaded = at->second.loaded;
  for (size_t o = 0; o + 4 <= loaded.size(); o += 4)
    if (cell(at->first + o).write_phase == static_cast<uint32_t>(Writer::host) && std::memcmp(&loaded[o], static_cast<const char*>(p) + o, 4) != 0) return true;
  return false;
}

void Arena::initialise(const void* p, size_t bytes) {
  if (!cells_ || !holds(p) || bytes == 0) return;
  const uint64_t from = offset(p), to = std::min(from + bytes, top_);
  for (uint64_t o = from / 4 * 4; o < to; o += 4) {
    Cell& c = cell(o);
    c.flags &= static_cast<uint8_t>(~Cell::pending);
    if (o >= from && o + 4 <= to) {
      c.initialised = 15;
      continue;
    }
    for (uint64_t b = o; b < o + 4; ++b)
      if (b >= from && b < to) c.initialised = (c.initialised | 1u << (b - o)) & 15;
  }
}

}  // namespace lab::emulated
