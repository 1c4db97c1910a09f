// How the threads of a block wait for each other, and what happens if some never arrive.
#include <algorithm>
#include <cstring>

#include "emulator/device/options.h"
#include "emulator/device/processor.h"
#include "emulator/device/watch.h"

namespace lab::emulated {

int Processor::barrier(lab_vote vote, int predicate, uint64_t site, int line) {
  Thread& t = *current;
  t.wait = Wait::barrier;
  t.site = site;
  t.line = line;
  ++at_barrier_;
  said_yes_ += predicate != 0;
  suspend(t);
  switch (vote) {
    case lab_vote_and:
      return last_yes_ == last_arrived_;
    case lab_vote_or:
      return last_yes_ > 0;
    default:
      return static_cast<int>(last_yes_);
  }
}

/// All threads that have not ended have arrived, so they continue. As on a real device, threads that left the
/// kernel are not waited for, but a program must not rely on this, so it is reported.
bool Processor::open_barrier() {
  if (at_barrier_ == 0 || at_barrier_ < live_) return false;
  const Thread *first = nullptr, *of_warp = nullptr;
  for (Thread& t : threads_) {
    if (t.wait != Wait::barrier) continue;
    if (!first) first = &t;
    if (!of_warp || of_warp->warp != t.warp) of_warp = &t;
    // Barriers are compared by line, because the compiler may duplicate a call or merge two calls.
    if (watch_ && t.line != of_warp->line)
      watch_->found(lab_barrier_differs, origin_of(*of_warp, of_warp->site), origin_of(t, t.site));
    else if (watch_ && t.line != first->line)
      watch_->found(lab_barrier_warps, origin_of(*first, first->site), origin_of(t, t.site));
    t.wait = Wait::nothing;
    ++warps_[t.warp].running;
  }
  if (watch_ && live_ < count_)
    for (const Thread& t : threads_)
      if (t.wait == Wait::ended) {
        watch_->found(lab_barrier_exited, origin_of(*first, first->site), origin_of(t, t.site));
        break;
      }
  last_arrived_ = at_barrier_;
  last_yes_ = said_yes_;
  at_barrier_ = said_yes_ = 0;
  if (watch_) watch_->next_phase();
  return true;
}

void Processor::complete(Warp& warp, Meeting& meeting) {
  meeting.complete = true;
  ++warp.meetings;
  for (Thread& t : threads_)
    if (&warps_[t.warp] == &warp && (meeting.joined >> t.lane & 1)) {
      t.sync = warp.meetings;
      if (t.wait == Wait::meeting && &warp.meeting[static_cast<size_t>(t.meeting)] == &meeting) {
        t.wait = Wait::nothing;
        ++warp.running;
      }
    }
}

/// Lanes may have ended since the meeting began.
bool Processor::open_meetings() {
  bool opened = false;
  for (Warp& warp : warps_)
    for (Meeting& m : warp.meeting)
      if (m.open && !m.complete &&
          ((m.mask & warp.alive & ~m.joined) == 0 || (m.kind == lab_active && warp.running == 0))) {
        complete(warp, m);
        opened = true;
      }
  return opened || std::any_of(threads_.begin(), threads_.end(),
                               [](const Thread& t) { return t.wait == Wait::nothing; });
}

/// All threads wait for one that will never arrive. A real device would hang; here it is reported and the
/// waiting ends.
void Processor::unblock() {
  for (Warp& warp : warps_)
    for (Meeting& m : warp.meeting) {
      if (!m.open || m.complete) continue;
      const Thread *waiting = nullptr, *missing = nullptr;
      for (const Thread& t : threads_) {
        if (&warps_[t.warp] != &warp) continue;
        if (!waiting && (m.joined >> t.lane & 1)) waiting = &t;
        if (!missing && (m.mask & warp.alive & ~m.joined) >> t.lane & 1) missing = &t;
      }
      if (watch_ && waiting && missing)
        watch_->found(lab_lanes_missing, origin_of(*waiting, waiting->site),
                      origin_of(*missing, missing->site));
      complete(warp, m);
      return;
    }
}

uint64_t Processor::meet(lab_meeting kind, uint64_t mask, uint64_t value, int argument, int width,
                         uint64_t site) {
  Thread& t = *current;
  Warp& warp = warps_[t.warp];
  const uint64_t wanted = mask & warp.exists;
  const uint64_t mine = uint64_t{1} << t.lane;
  if (!(wanted & mine)) {  // nobody waits for this lane, so it meets nobody
    if (watch_) watch_->found(lab_lane_not_in_mask, origin_of(t, site), origin_of(t, site));
    return value;
  }
  // The meeting that waits for these lanes, or a new one in a free slot.
  size_t i = 0;
  const auto fits = [&](const Meeting& m) {
    return m.open && !m.complete && m.kind == kind && m.mask == wanted && !(m.joined & mine);
  };
  while (i < warp.meeting.size() && !fits(warp.meeting[i])) ++i;
  if (i == warp.meeting.size()) {
    for (i = 0; i < warp.meeting.size() && warp.meeting[i].open;) ++i;
    if (i == warp.meeting.size()) warp.meeting.emplace_back();
    Meeting& fresh = warp.meeting[i];
    fresh.kind = kind;
    fresh.mask = wanted;
    fresh.joined = fresh.read = 0;
    fresh.open = true;
    fresh.complete = false;
  }
  warp.meeting[i].joined |= mine;
  warp.meeting[i].value[t.lane] = value;
  t.site = site;
  t.meeting = static_cast<int>(i);
  if ((warp.meeting[i].mask & warp.alive & ~warp.meeting[i].joined) == 0) {
    complete(warp, warp.meeting[i]);
  } else {
    t.wait = Wait::meeting;
    suspend(t);
  }
  Meeting& m = warp.meeting[i];  // the list may have grown meanwhile
  const uint64_t answer = result(m, kind, t, argument, width, site);
  m.read |= mine;
  if (m.read == m.joined) m.open = false;
  return answer;
}

namespace {

template <class Combine>
uint64_t fold(const Meeting& m, Combine combine) {
  bool first = true;
  uint64_t sum = 0;
  for (int lane = 0; lane < 64; ++lane) {
    if (!(m.joined >> lane & 1)) continue;
    sum = first ? m.value[lane] : combine(sum, m.value[lane]);
    first = false;
  }
  return sum & 0xffffffffu;
}

/// The lane that a shuffle reads (CUDA C++ Programming Guide, "Warp Shuffle Functions").
int source_lane(lab_meeting kind, int lane, int argument, int width) {
  const int first = lane / width * width, last = first + width - 1;
  switch (kind) {
    case lab_shuffle_up:
      return lane - argument < first ? lane : lane - argument;
    case lab_shuffle_down:
      return lane + argument > last ? lane : lane + argument;
    case lab_shuffle_xor:
      return (lane ^ argument) > last ? lane : lane ^ argument;
    default:
      return first + static_cast<int>(static_cast<unsigned>(argument) % static_cast<unsigned>(width));
  }
}

}  // namespace

uint64_t Processor::result(const Meeting& m, lab_meeting kind, const Thread& t, int argument, int width,
                           uint64_t site) {
  const auto as_signed = [](uint64_t v) { return static_cast<int32_t>(v); };
  const auto lanes_where = [&](auto f) {
    uint64_t found = 0;
    for (int lane = 0; lane < 64; ++lane)
      if ((m.joined >> lane & 1) && f(m.value[lane])) found |= uint64_t{1} << lane;
    return found;
  };
  switch (kind) {
    case lab_sync:
      return 0;
    case lab_active:
      return m.joined;
    case lab_shuffle_index:
    case lab_shuffle_up:
    case lab_shuffle_down:
    case lab_shuffle_xor: {
      const int lanes = options().lanes;
      if (width < 1 || width > lanes || (width & (width - 1))) width = lanes;
      const int from = source_lane(kind, t.lane, argument, width);
      if (from >= 0 && from < 64 && (m.joined >> from & 1)) return m.value[from];
      if (watch_) watch_->found(lab_shuffle_range, origin_of(t, site), origin_of(t, site), from, lanes);
      return ~uint64_t{0};
    }
    case lab_ballot:
      return lanes_where([](uint64_t v) { return v != 0; });
    case lab_all:
      return lanes_where([](uint64_t v) { return v != 0; }) == m.joined;
    case lab_any:
      return lanes_where([](uint64_t v) { return v != 0; }) != 0;
    case lab_match_any:
      return lanes_where([&](uint64_t v) { return v == m.value[t.lane]; });
    case lab_match_all: {
      const uint64_t same = lanes_where([&](uint64_t v) { return v == m.value[t.lane]; });
      return same == m.joined ? same : 0;
    }
    case lab_sum:
      return fold(m, [](uint64_t a, uint64_t b) { return a + b; });
    case lab_min_signed:
      return fold(m, [&](uint64_t a, uint64_t b) { return as_signed(a) < as_signed(b) ? a : b; });
    case lab_max_signed:
      return fold(m, [&](uint64_t a, uint64_t b) { return as_signed(a) > as_signed(b) ? a : b; });
    case lab_min_unsigned:
      return fold(m, [](uint64_t a, uint64_t b) { return std::min(a, b); });
    case lab_max_unsigned:
      return fold(m, [](uint64_t a, uint64_t b) { return std::max(a, b); });
    case lab_and:
      return fold(m, [](uint64_t a, uint64_t b) { return a & b; });
    case lab_or:
      return fold(m, [](uint64_t a, uint64_t b) { return a | b; });
    case lab_xor:
      return fold(m, [](uint64_t a, uint64_t b) { return a ^ b; });
  }
  return 0;
}

}  // namespace lab::emulated
