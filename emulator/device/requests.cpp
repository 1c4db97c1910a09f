#include "emulator/device/requests.h"

#include <algorithm>
#include <bit>

#include "emulator/device/diagnostics.h"
#include "emulator/device/options.h"

namespace lab::emulated {
namespace {

/// Executions of one instruction between two waits of a warp. Waits at a cuda::barrier are none of these. Further ones are not counted.
constexpr uint32_t most_turns = 4096;

constexpr unsigned sector_bytes = 32, banks = 32, bank_bytes = 4;

/// The distinct values among at most 256.
class Distinct {
 public:
  void add(uint32_t v) {
    if (count_ > 0 && values_[count_ - 1] == v) return;
    for (unsigned i = 0; i < count_; ++i)
      if (values_[i] == v) return;
    values_[count_++] = v;
  }
  unsigned count() const { return count_; }

 private:
  uint32_t values_[256];
  unsigned count_ = 0;
};

/// Most requests are one of these two, which need no search: all lanes use the same address, or consecutive
/// ones.
struct Pattern {
  bool same = true, consecutive = true;
};

template <class F>
void for_each_lane(uint64_t mask, F f) {
  for (; mask; mask &= mask - 1) f(static_cast<unsigned>(std::countr_zero(mask)));
}

Pattern pattern_of(uint64_t mask, const uint32_t* offsets, unsigned bytes) {
  Pattern p;
  const auto first_lane = static_cast<unsigned>(std::countr_zero(mask));
  const uint32_t first = offsets[first_lane];
  for_each_lane(mask, [&](unsigned lane) {
    p.same &= offsets[lane] == first;
    p.consecutive &= offsets[lane] == first + (lane - first_lane) * bytes;
  });
  // A lane that does not take part leaves a gap in memory.
  p.consecutive &=
      static_cast<int>(std::popcount(mask)) == static_cast<int>(std::bit_width(mask >> first_lane));
  return p;
}

int64_t sectors(uint64_t mask, const uint32_t* offsets, unsigned bytes, int64_t& ideal) {
  const Pattern p = pattern_of(mask, offsets, bytes);
  const auto lanes = static_cast<unsigned>(std::popcount(mask));
  const uint32_t first = offsets[std::countr_zero(mask)];
  if (p.same || p.consecutive) {
    const unsigned length = p.same ? bytes : lanes * bytes;
    ideal = (length + sector_bytes - 1) / sector_bytes;
    return (first + length - 1) / sector_bytes - first / sector_bytes + 1;
  }
  Distinct touched, offsets_seen;
  for_each_lane(mask, [&](unsigned lane) {
    touched.add(offsets[lane] / sector_bytes);
    offsets_seen.add(offsets[lane]);
  });
  ideal = (offsets_seen.count() * bytes + sector_bytes - 1) / sector_bytes;
  return touched.count();
}

/// Passes through shared memory. In one pass each bank delivers one word, to any number of lanes. Accesses of
/// 8 and 16 bytes are served for a half and a quarter of the warp at a time.
int64_t wavefronts(uint64_t mask, const uint32_t* offsets, unsigned bytes, int64_t& ideal) {
  const unsigned words = std::max(1u, bytes / bank_bytes);
  const unsigned group = 32 / words;
  int64_t passes = 0;
  ideal = 0;
  for (unsigned from = 0; from < 64; from += group) {
    const uint64_t part = mask & (((uint64_t{1} << (group - 1)) * 2 - 1) << from);
    if (!part) continue;
    uint32_t word_of[banks];
    uint32_t seen = 0, extra[256];
    unsigned count[banks] = {}, extras = 0, most = 1;
    for_each_lane(part, [&](unsigned lane) {
      for (unsigned w = 0; w < words; ++w) {
        const uint32_t word = offsets[lane] / bank_bytes + w, bank = word % banks;
        if (!(seen >> bank & 1)) {
          seen |= 1u << bank;
          word_of[bank] = word;
          count[bank] = 1;
        } else if (word_of[bank] != word) {
          if (std::find(extra, extra + extras, word) != extra + extras) continue;
          extra[extras++] = word;
          most = std::max(most, ++count[bank]);
        }
      }
    });
    passes += most;
    ideal += 1;
  }
  return passes;
}

/// The most lanes that use the same address.
int64_t on_one_address(uint64_t mask, const uint32_t* offsets) {
  unsigned most = 0;
  for_each_lane(mask, [&](unsigned lane) {
    unsigned same = 0;
    for_each_lane(mask, [&](unsigned other) { same += offsets[other] == offsets[lane]; });
    most = std::max(most, same);
  });
  return most;
}

}  // namespace

void Requests::begin_launch(const char* kernel, unsigned threads) {
  kernel_ = kernel;
  threads_ = threads;
  lanes_ = static_cast<unsigned>(options().lanes);
  warps_.resize((threads + lanes_ - 1) / lanes_);
  for (WarpStreams& w : warps_) w.streams.clear();
}

void Requests::end_launch() {
  if (fresh_bytes_) Diagnostics::get().distinct(kernel_, fresh_bytes_);
  fresh_bytes_ = 0;
}

Requests::Stream& Requests::find_stream(WarpStreams& w, Space space, unsigned bytes, lab_access access,
                                        uint64_t site) {
  size_t at = 0;
  while (at < w.streams.size() &&
         !(w.streams[at].site == site && w.streams[at].bytes == bytes && w.streams[at].space == space))
    ++at;
  if (at == w.streams.size()) {
    w.streams.emplace_back();
    Stream& s = w.streams.back();
    s.site = site;
    s.space = space;
    s.bytes = bytes;
    s.access = access;
  }
  w.hint[site / 2 % 256] = static_cast<uint16_t>(at);
  return w.streams[at];
}

bool Requests::grow(Stream& s, uint32_t turn) {
  if (turn >= most_turns) return false;
  const size_t wanted = std::max<size_t>(2 * s.masks.size(), turn + 16);
  s.masks.resize(wanted);
  s.offsets.resize(wanted * lanes_);
  return true;
}

void Requests::flush(unsigned warp) {
  const unsigned exist = std::min(lanes_, threads_ - warp * lanes_);
  for (Stream& s : warps_[warp].streams) {
    uint32_t turns = 0;
    for (unsigned lane = 0; lane < exist; ++lane) {
      turns = std::max(turns, s.turn[lane]);
      s.turn[lane] = 0;
    }
    turns = std::min(turns, static_cast<uint32_t>(s.masks.size()));
    if (turns == 0) continue;
    Traffic& sum = Diagnostics::get().traffic(kernel_, s.site, s.space == Space::shared, s.bytes, s.access);
    for (uint32_t turn = 0; turn < turns; ++turn) {
      weigh(s, s.masks[turn], &s.offsets[turn * lanes_], sum);
      sum.could += exist;
      s.masks[turn] = 0;
    }
  }
}

// The turns of a loop often make the same request at different addresses. Its cost depends only on the
// distances between the lanes and, in global memory, on where in a sector it begins, so the last result can
// be used again.
void Requests::weigh(Stream& s, uint64_t mask, const uint32_t* offsets, Traffic& sum) const {
  const uint32_t first = offsets[std::countr_zero(mask)];
  const uint32_t begins = first % sector_bytes;
  uint32_t differs = mask != s.last_mask || begins != s.last_begins;
  for (unsigned lane = 0; lane < lanes_; ++lane) differs |= (offsets[lane] - first) ^ s.last_distance[lane];
  if (differs) {
    s.last_mask = mask;
    s.last_begins = begins;
    for (unsigned lane = 0; lane < lanes_; ++lane) s.last_distance[lane] = offsets[lane] - first;
    s.last_have = s.space == Space::shared ? wavefronts(mask, offsets, s.bytes, s.last_ideal)
                                           : sectors(mask, offsets, s.bytes, s.last_ideal);
    s.last_on_one = s.access == lab_access_atomic ? on_one_address(mask, offsets) : 0;
  }
  sum.have += s.last_have;
  sum.ideal += s.last_ideal;
  sum.on_one += s.last_on_one;
  ++sum.requests;
  sum.took += std::popcount(mask);
  sum.asked_bytes += int64_t{std::popcount(mask)} * s.bytes;
}

}  // namespace lab::emulated
