#include "harness/worker/memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>

#include "device/refresh.h"

namespace harness {
namespace {

using protocol::Outcome;
using protocol::Placement;

constexpr size_t page = 4096;
constexpr size_t huge_page = 2 << 20;

char* map_file(int fd, size_t bytes, int protection) {
  void* p = mmap(nullptr, bytes, protection, MAP_SHARED, fd, 0);
  return p == MAP_FAILED ? nullptr : static_cast<char*>(p);
}

size_t round_up(size_t n, size_t unit) { return (n + unit - 1) / unit * unit; }

/// The work space holds these bytes: NaN in every type of number, and not the NaN that an output holds before a call.
constexpr char unset_byte(size_t at) { return at % 2 == 0 ? '\xfc' : '\xff'; }

void unset(char* memory, size_t begin, size_t end) {
  for (size_t at = begin; at < end; ++at) memory[at] = unset_byte(at);
}

}  // namespace

double now_ms() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) * 1e-6;
}

Outcome Memory::fail(const char* what) {
  error = what;
  const bool full = errno == ENOMEM;
  unload();
  return full ? Outcome::out_of_memory : Outcome::error;
}

// More than any address space has. A negative number becomes such a size, and so does most of what a register holds by chance.
bool Memory::asks_for_too_much() const { return workspace_bytes_ > (size_t{1} << 46); }

Outcome Memory::no_workspace() {
  const int why = errno;
  // A catalogue translates the text before the colon, so it is a literal of its own.
  std::snprintf(text_, sizeof text_, "%s: the variant asks for %lld bytes%s", "no memory for the work space",
                static_cast<long long>(workspace_bytes_),
                asks_for_too_much() ? "; does it return a negative number, or nothing?" : "");
  errno = asks_for_too_much() ? ENOMEM : why;
  return fail(text_);
}

// Inaccessible address space around `bytes`: a step over the edge faults.
bool Memory::reserve(Region& region, size_t bytes) {
  region.reserved_bytes = bytes + 2 * huge_page;
  void* p =
      mmap(nullptr, region.reserved_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) return false;
  region.reserved = static_cast<char*>(p);
  region.address = reinterpret_cast<char*>(round_up(reinterpret_cast<size_t>(p) + 1, huge_page));
  return true;
}

bool Memory::map_shared(Region& region, int fd) {
  if (!reserve(region, region.bytes)) return false;
  const int protection = region.is_input ? PROT_READ : PROT_READ | PROT_WRITE;
  return mmap(region.address, region.bytes, protection, MAP_SHARED | MAP_FIXED, fd, 0) != MAP_FAILED;
}

bool Memory::map_private(Region& region) {
  if (!reserve(region, region.bytes)) return false;
  if (mmap(region.address, region.bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
           0) == MAP_FAILED)
    return false;
  madvise(region.address, region.bytes, MADV_HUGEPAGE);
  return true;
}

Outcome Memory::load(const protocol::LoadRequest& request, const int* descriptors, int count,
                     double& alloc_ms, double& in_ms) {
  unload();
  placement_ = request.placement;
  element_bytes_ = request.element_bytes;
  Outcome outcome = map_buffers(request, descriptors, count);
  if (outcome == Outcome::ok && placement_ == Placement::device) outcome = copy_to_device(alloc_ms, in_ms);
  if (outcome != Outcome::ok) return outcome;
  for (int i = 0; i < count_; ++i) data[i] = region_[i].address + region_[i].offset;
  return Outcome::ok;
}

Outcome Memory::map_buffers(const protocol::LoadRequest& request, const int* descriptors, int count) {
  if (request.buffers < 1 || request.buffers > protocol::max_buffers) return fail("bad request");
  for (int i = 0; i < request.buffers; ++i) {
    const protocol::Buffer& b = request.buffer[i];
    if (b.source_fd < 0 || b.source_fd >= count || b.result_fd >= count) return fail("bad request");
    Region& r = region_[i];
    r = {};
    r.is_input = b.is_input != 0;
    r.is_read = b.counted != 0;
    r.bytes = static_cast<size_t>(b.region_bytes);
    r.offset = static_cast<size_t>(b.data_offset);
    r.data_bytes = static_cast<size_t>(b.data_bytes);
    count_ = i + 1;
    if (placement_ == Placement::mapped) {
      if (!map_shared(r, descriptors[r.is_input ? b.source_fd : b.result_fd]))
        return fail("cannot map the buffers");
      continue;
    }
    r.source = map_file(descriptors[b.source_fd], r.bytes, PROT_READ);
    if (!r.source) return fail("cannot map the buffers");
    if (b.result_fd >= 0 && !(r.result = map_file(descriptors[b.result_fd], r.bytes, PROT_READ | PROT_WRITE)))
      return fail("cannot map the buffers");
  }
  return Outcome::ok;
}

Outcome Memory::copy_to_device(double& alloc_ms, double& in_ms) {
  const double start = now_ms();
  for (int i = 0; i < count_; ++i)
    if (!(region_[i].address = static_cast<char*>(device->alloc(region_[i].bytes)))) return Outcome::device_error;
  alloc_ms = now_ms() - start;
  for (int i = 0; i < count_; ++i) {
    const Region& r = region_[i];
    if (device->restrict_to && device->restrict_to(r.address, r.offset, r.data_bytes, !r.is_input, i) != 0)
      return Outcome::device_error;
    const double copy = now_ms();
    if (device->copy_in(r.address, r.source, r.bytes) != 0) return Outcome::device_error;
    if (r.is_read) in_ms += now_ms() - copy;
  }
  return Outcome::ok;
}

Outcome Memory::make_workspace(size_t bytes) {
  workspace_bytes_ = bytes;
  if (asks_for_too_much()) return no_workspace();
  if (workspace_bytes_ == 0) return Outcome::ok;
  if (device) {
    workspace_.address = static_cast<char*>(device->alloc(workspace_bytes_));
    if (!workspace_.address) return Outcome::device_error;
    // So that diagnostics name it: its number follows those of the problem's buffers.
    if (device->restrict_to && device->restrict_to(workspace_.address, 0, workspace_bytes_, 1, count_) != 0)
      return Outcome::device_error;
  } else {
    workspace_.bytes = round_up(workspace_bytes_, page);
    if (!map_private(workspace_)) return no_workspace();
    // Who takes it for zeros, or reads past its end, is wrong there. The rest of a large one may never be used.
    constexpr size_t most_unset = 64 << 20;
    unset(workspace_.address, 0, std::min(workspace_bytes_, most_unset));
    unset(workspace_.address, workspace_bytes_, workspace_.bytes);
  }
  workspace = workspace_.address;
  return Outcome::ok;
}

Outcome Memory::restore() {
  for (int i = 0; i < count_; ++i) {
    const Region& r = region_[i];
    if (r.is_input || placement_ == Placement::mapped)
      continue;  // mapped outputs are restored by the harness
    if (device->copy_in(r.address, r.source, r.bytes) != 0) return Outcome::device_error;
  }
  return Outcome::ok;
}

template <class Work>
Outcome Memory::to_what_is_read(uint64_t salt, Work work) {
  for (int i = 0; i < count_; ++i) {
    const Region& r = region_[i];
    if (!r.is_read) continue;
    const auto count = static_cast<int64_t>(r.data_bytes) / element_bytes_;
    if (work(data[i], count, lab::refresh_key(salt, i)) != 0) return Outcome::device_error;
  }
  return Outcome::ok;
}

Outcome Memory::refresh(uint64_t salt) {
  return to_what_is_read(salt, [&](void* buffer, int64_t count, uint64_t key) {
    return device->refresh(buffer, count, element_bytes_, key);
  });
}

Outcome Memory::touch(uint64_t salt) {
  return to_what_is_read(salt, [&](void* buffer, int64_t count, uint64_t key) {
    return device->touch(buffer, count, element_bytes_, key);
  });
}

void Memory::read_all() const {
  constexpr size_t cache_line = 64;
  for (int i = 0; i < count_; ++i)
    for (size_t at = 0; at < region_[i].data_bytes; at += cache_line)
      (void)static_cast<const volatile char*>(data[i])[at];
}

bool Memory::workspace_is_intact() const {
  for (size_t at = workspace_bytes_; at < workspace_.bytes; ++at)
    if (workspace_.address[at] != unset_byte(at)) return false;
  return true;
}

Outcome Memory::fingerprint(uint64_t& result) {
  const Region& output = region_[count_ - 1];
  const auto count = static_cast<int64_t>(output.data_bytes) / element_bytes_;
  return device->fingerprint(data[count_ - 1], count, element_bytes_, &result) == 0 ? Outcome::ok : Outcome::device_error;
}

Outcome Memory::poison() {
  for (int i = 0; i < count_; ++i) {
    const Region& r = region_[i];
    if (r.is_read) continue;
    const auto count = static_cast<int64_t>(r.data_bytes) / element_bytes_;
    if (device->poison(data[i], count, element_bytes_) != 0) return Outcome::device_error;
  }
  return Outcome::ok;
}

Outcome Memory::fetch(double& out_ms) {
  for (int i = 0; i < count_; ++i) {
    const Region& r = region_[i];
    if (!r.result) continue;
    const double start = now_ms();
    if (device->copy_out(r.result, r.address, r.bytes) != 0) return Outcome::device_error;
    if (!r.is_input) out_ms += now_ms() - start;
  }
  return Outcome::ok;
}

void Memory::unload() {
  for (int i = 0; i <= count_; ++i) {
    Region& r = i < count_ ? region_[i] : workspace_;
    if (r.source) munmap(r.source, r.bytes);
    if (r.result) munmap(r.result, r.bytes);
    if (r.reserved)
      munmap(r.reserved, r.reserved_bytes);
    else if (device && r.address)
      device->release(r.address);
    r = {};
  }
  count_ = 0;
  workspace = nullptr;
}

int Memory::locate(const void* address, int64_t& byte) const {
  const auto at = reinterpret_cast<int64_t>(address);
  int best = -1;
  int64_t best_distance = huge_page;  // the guard zone: further away it is another mistake
  for (int i = 0; i < count_; ++i) {
    if (!region_[i].reserved) continue;
    const auto from = reinterpret_cast<int64_t>(region_[i].address),
               to = from + static_cast<int64_t>(region_[i].bytes);
    const int64_t distance = at < from ? from - at : at >= to ? at - to : 0;
    if (distance >= best_distance) continue;
    best = i;
    best_distance = distance;
    byte = at - from - static_cast<int64_t>(region_[i].offset);
  }
  return best;
}

}  // namespace harness
