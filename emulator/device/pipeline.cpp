#include "emulator/device/pipeline.h"

#include <algorithm>
#include <cstring>

#include "emulator/device/access.h"
#include "emulator/device/device.h"
#include "emulator/device/diagnostics.h"
#include "emulator/device/processor.h"

namespace lab::emulated {
namespace {

/// If more batches than this may stay pending, cuda_pipeline_primitives.h waits for all but this many.
constexpr size_t most_batches_left = 8;

}  // namespace

void Pipeline::begin_block(Watch* watch) {
  for (Queue& q : queues_) {
    if (watch)
      for (const Copy& c : q.copies) watch->pending(c.to, c.bytes, false);
    q.copies.clear();
    q.committed = 0;
  }
  for (BarrierCopies& b : barriers_) {
    if (!watch) break;
    for (const auto& [thread, c] : b.requested) watch->pending(c.to, c.bytes, false);
    for (const auto& [phase, c] : b.executed) watch->pending(c.to, c.bytes, false);
  }
  barriers_.clear();
}

Pipeline::Queue& Pipeline::queue(const Thread& t) {
  if (t.index >= queues_.size()) queues_.resize(t.index + size_t{1});
  return queues_[t.index];
}

void Pipeline::refuse(Thread& t, lab_diagnostic_kind kind, const void* p, size_t bytes, uint64_t site) {
  lab_diagnostic f = {};
  f.kind = kind;
  f.bytes = static_cast<uint32_t>(bytes);
  f.count = 1;
  f.origin = t.processor->origin_of(t, site);
  if (kind == lab_misaligned) f.offset = static_cast<int64_t>(reinterpret_cast<uint64_t>(p) % bytes);
  Diagnostics::get().add(f, t.processor->launch().kernel);
  t.processor->give_up(kind == lab_misaligned ? cudaErrorMisalignedAddress
                       : kind == lab_trap     ? cudaErrorLaunchFailure
                                              : cudaErrorIllegalAddress);
}

void Pipeline::copy(Thread& t, char* to, const char* from, size_t bytes, size_t zeros, uint64_t site) {
  t.site = site;
  // A real device stops with a trap if the arguments are not valid.
  if ((bytes != 4 && bytes != 8 && bytes != 16) || zeros > bytes) refuse(t, lab_trap, to, bytes, site);
  for (const char* p : {static_cast<const char*>(to), from})
    if (reinterpret_cast<uint64_t>(p) % bytes != 0) refuse(t, lab_misaligned, p, bytes, site);
  if (!t.processor->is_shared(to)) refuse(t, lab_shared_bounds, to, bytes, site);
  if (t.processor->is_shared(from)) refuse(t, lab_illegal_address, from, bytes, site);
  const auto size = static_cast<unsigned>(bytes), filler = static_cast<unsigned>(zeros);
  if (Watch* watch = t.processor->watch()) watch->copy_begins(t, to, size, from, size - filler, site);
  Queue& q = queue(t);
  q.copies.push_back({to, from, size, filler, q.committed, site});
}

void Pipeline::wait(Thread& t, size_t batches_left) {
  Queue& q = queue(t);
  const uint64_t left = std::min(batches_left, most_batches_left);
  const auto first_left = std::find_if(q.copies.begin(), q.copies.end(),
                                       [&](const Copy& c) { return c.batch + left >= q.committed; });
  for (auto c = q.copies.begin(); c != first_left; ++c) execute(t, *c);
  q.copies.erase(q.copies.begin(), first_left);
}

void Pipeline::execute(Thread& t, const Copy& c) {
  char bytes[16] = {};
  std::memcpy(bytes, c.from, c.bytes - c.zeros);
  Watch* watch = t.processor->watch();
  for (unsigned o = 0; o < c.bytes; o += 4) {
    if (watch) watch->copy_ends(t, c.to + o, c.site);
    std::memcpy(c.to + o, bytes + o, 4);
  }
  if (watch) watch->settle();
}

Pipeline::BarrierCopies* Pipeline::of_barrier(const void* barrier) {
  const auto at = std::ranges::find(barriers_, barrier, &BarrierCopies::barrier);
  return at == barriers_.end() ? nullptr : &*at;
}

void Pipeline::give(Thread& t, const void* barrier, size_t first) {
  Queue& q = queue(t);
  BarrierCopies* of = of_barrier(barrier);
  if (!of) of = &barriers_.emplace_back(BarrierCopies{barrier, {}, {}});
  for (size_t i = first; i < q.copies.size(); ++i) of->requested.emplace_back(&t, q.copies[i]);
  q.copies.resize(first);
}

void Pipeline::complete(const void* barrier, unsigned phase) {
  BarrierCopies* const of = of_barrier(barrier);
  if (!of) return;
  for (const auto& [thread, c] : of->requested) {
    execute(*thread, c);
    if (Watch* watch = thread->processor->watch()) watch->pending(c.to, c.bytes, true);
    of->executed.emplace_back(phase, c);
  }
  of->requested.clear();
}

void Pipeline::waited(const void* barrier, unsigned phase) {
  BarrierCopies* const of = of_barrier(barrier);
  if (!of) return;
  std::erase_if(of->executed, [&](const auto& executed) {
    const auto& [of_phase, c] = executed;
    if (of_phase > phase) return false;
    if (Watch* watch = current->processor->watch()) watch->pending(c.to, c.bytes, false);
    return true;
  });
}

// A real device may copy at any time from now on, so the bytes count as written now and again when they are
// copied.
void Watch::copy_begins(Thread& t, char* to, unsigned bytes, const char* from, unsigned read, uint64_t site) {
  for (; read > 0 && read != 4 && read != 8 && read != 16; --read)
    access<1, lab_access_read>(t, from + read - 1, site);
  if (read == 4) access<4, lab_access_read>(t, from, site);
  if (read == 8) access<8, lab_access_read>(t, from, site);
  if (read == 16) access<16, lab_access_read>(t, from, site);
  if (bytes == 4) access<4, lab_access_write>(t, to, site);
  if (bytes == 8) access<8, lab_access_write>(t, to, site);
  if (bytes == 16) access<16, lab_access_write>(t, to, site);
  pending(to, bytes, true);
}

void Watch::copy_ends(Thread& t, char* to, uint64_t site) {
  settle();
  pending(to, 4, false);
  touch<Space::shared, 4, lab_access_write>(t, shared_[static_cast<size_t>(to - shared_base_) / 4], to, 15u,
                                            site);
}

}  // namespace lab::emulated
