#include "emulator/device/library.h"

#include <algorithm>

#include "emulator/device/arena.h"
#include "emulator/device/device.h"
#include "emulator/device/diagnostics.h"
#include "emulator/device/options.h"

namespace lab::emulated {
namespace {

constexpr int64_t beyond_all = int64_t{1} << 50;

/// Calls f(address, bytes) for each contiguous run of elements until f returns false.
template <class F>
void for_each_run(const void* p, const Box& box, size_t element, F f) {
  if (box.empty()) return;
  const bool dense = box.stride[3] == 1;
  const int64_t run = dense ? box.extent[3] : 1, runs = dense ? 1 : box.extent[3];
  for (int64_t a = 0; a < box.extent[0]; ++a)
    for (int64_t b = 0; b < box.extent[1]; ++b)
      for (int64_t c = 0; c < box.extent[2]; ++c)
        for (int64_t d = 0; d < runs; ++d) {
          const int64_t at = a * box.stride[0] + b * box.stride[1] + c * box.stride[2] + d * box.stride[3];
          if (!f(static_cast<const char*>(p) + at * static_cast<int64_t>(element),
                 static_cast<size_t>(run) * element))
            return;
        }
}

bool initialised(const char* p, size_t bytes) {
  const Arena& arena = Arena::get();
  const uint64_t from = arena.offset(p), to = from + bytes;
  for (uint64_t o = from / 4 * 4; o < to; o += 4) {
    unsigned wanted = 15;
    if (o < from) wanted &= 15u << (from - o);
    if (o + 4 > to) wanted &= 15u >> (o + 4 - to);
    if ((arena.cell(o).initialised & wanted) != wanted) return false;
  }
  return true;
}

}  // namespace

bool Box::empty() const {
  return std::any_of(extent, extent + 4, [](int64_t n) { return n <= 0; });
}

int64_t Box::reach() const {
  if (empty()) return 0;
  int64_t last = 0;
  for (int i = 0; i < 4; ++i) {
    int64_t way = 0;
    if (__builtin_mul_overflow(extent[i] - 1, stride[i], &way) || way > beyond_all) return beyond_all;
    last += way;
  }
  return std::min(last + 1, beyond_all);
}

Box vector_box(int64_t length, int64_t increment) {
  return {{1, 1, 1, length}, {0, 0, 0, increment < 0 ? -increment : increment}};
}

Box matrix_box(int64_t rows, int64_t columns, int64_t ld, int64_t batch, int64_t batch_stride) {
  return {{1, batch, columns, rows}, {0, batch_stride, ld, 1}};
}

lab_diagnostic LibraryCall::diagnostic(lab_diagnostic_kind kind, size_t element, lab_access access) const {
  lab_diagnostic f = {};
  f.kind = kind;
  f.bytes = static_cast<uint32_t>(element);
  f.count = 1;
  f.origin.code = code_offset(return_address_) - 1;  // inside the call
  f.origin.access = access;
  return f;
}

bool LibraryCall::refuse(const lab_diagnostic& f, const char* what, const std::string& why) const {
  const std::string subject = std::string(function_) + ": " + what;
  Diagnostics::get().add(f, subject.c_str());
  lose_context(cudaErrorIllegalAddress, subject + " " + why);
  return false;
}

bool LibraryCall::allowed(const char* what, const void* p, const Box& box, size_t element,
                          lab_access access) const {
  if (box.empty()) return true;
  const Arena& arena = Arena::get();
  lab_diagnostic f = diagnostic(lab_library_call, element, access);
  if (!arena.holds(p)) return refuse(f, what, "is not memory of the device");
  uint64_t start = 0;
  const Allocation* near = arena.nearest(arena.offset(p), start);
  if (!near) return refuse(f, what, "is memory that was freed");
  const auto first = static_cast<int64_t>(arena.offset(p)) - static_cast<int64_t>(start + near->first);
  const int64_t end = first + box.reach() * static_cast<int64_t>(element);
  const auto extent = static_cast<int64_t>(near->extent);
  if (first < 0 || end > extent) {
    f.offset = first < 0 || first >= extent ? first : end;
    f.extent = extent;
    return refuse(f, what,
                  first < 0 || first >= extent ? "is outside its buffer" : "reaches beyond its buffer");
  }
  if (access == lab_access_write && !near->writable) {
    f.kind = lab_input_written;
    return refuse(f, what, "is an input, which nothing may write to");
  }
  return true;
}

bool LibraryCall::reads(const char* what, const void* p, const Box& box, size_t element) const {
  if (!allowed(what, p, box, element, lab_access_read)) return false;
  if (!options().diagnostics) return true;
  for_each_run(p, box, element, [&](const char* run, size_t bytes) {
    if (initialised(run, bytes)) return true;
    const std::string subject = std::string(function_) + ": " + what;
    Diagnostics::get().add(diagnostic(lab_uninitialised_global, element, lab_access_read), subject.c_str());
    return false;
  });
  return true;
}

bool LibraryCall::writes(const char* what, const void* p, const Box& box, size_t element) const {
  return allowed(what, p, box, element, lab_access_write);
}

void LibraryCall::wrote(const void* p, const Box& box, size_t element) const {
  for_each_run(p, box, element, [](const char* run, size_t bytes) {
    Arena::get().written(run, bytes, Arena::Writer::device);
    return true;
  });
}

bool LibraryCall::on_host(const char* what, const void* p) const {
  if (!Arena::get().holds(p)) return true;
  return refuse(diagnostic(lab_library_call, 0, lab_access_none), what,
                "is memory of the device, where memory of the host is expected");
}

}  // namespace lab::emulated
