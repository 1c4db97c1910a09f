// Counts the memory traffic of warps. On a real device the lanes of a warp access memory together, in one
// request. Here they run one after the other, so this class puts their accesses together again: between two
// points where the warp waits, the n-th execution of an instruction by one lane belongs to the same request
// as the n-th execution by each other lane.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "lab/diagnostics.h"

namespace lab::emulated {

/// Sums over the requests of one instruction of one kernel.
struct Traffic {
  int64_t requests = 0;
  int64_t have = 0, ideal = 0;  // global: 32-byte sectors; shared: wavefronts
  int64_t took = 0, could = 0;  // lanes that took part, and that could have
  int64_t asked_bytes = 0;
  int64_t on_one = 0;  // atomic accesses: the largest number of lanes with one address, summed over the requests
  unsigned bytes = 0;  // per lane
  bool is_shared = false;
  lab_access access = lab_access_read;
};

class Requests {
 public:
  enum class Space { shared, global };

  void begin_launch(const char* kernel, unsigned threads);
  void end_launch();
  void add(Space space, unsigned warp, unsigned lane, uint32_t offset, unsigned bytes, lab_access access,
           uint64_t site) {
    Stream& s = stream(warp, space, bytes, access, site);
    const uint32_t turn = s.turn[lane]++;
    if (turn >= s.masks.size() && !grow(s, turn)) return;
    s.masks[turn] |= uint64_t{1} << lane;
    s.offsets[turn * lanes_ + lane] = offset;
  }
  /// Counts bytes of global memory that the launch reads for the first time.
  void fresh(unsigned bytes) { fresh_bytes_ += bytes; }
  /// Adds up the requests of a warp. All its lanes wait or have ended.
  void flush(unsigned warp);

 private:
  struct Stream {
    uint64_t site = 0;
    Space space = Space::global;
    unsigned bytes = 0;
    lab_access access = lab_access_read;
    uint32_t turn[64] = {};
    std::vector<uint64_t> masks;
    std::vector<uint32_t> offsets;
    // The last request that was counted, to recognise equal ones.
    uint64_t last_mask = 0;
    uint32_t last_begins = 0, last_distance[64] = {};
    int64_t last_have = 0, last_ideal = 0, last_on_one = 0;
  };
  struct WarpStreams {
    std::vector<Stream> streams;
    uint16_t hint[256];  // index of a stream, by site; it may be wrong and is compared
  };

  Stream& stream(unsigned warp, Space space, unsigned bytes, lab_access access, uint64_t site) {
    WarpStreams& w = warps_[warp];
    const uint16_t at = w.hint[site / 2 % 256];
    if (at < w.streams.size() && w.streams[at].site == site && w.streams[at].bytes == bytes &&
        w.streams[at].space == space)
      return w.streams[at];
    return find_stream(w, space, bytes, access, site);
  }
  Stream& find_stream(WarpStreams& w, Space space, unsigned bytes, lab_access access, uint64_t site);
  bool grow(Stream& s, uint32_t turn);
  void weigh(Stream& s, uint64_t mask, const uint32_t* offsets, Traffic& sum) const;

  std::vector<WarpStreams> warps_;
  const char* kernel_ = "";
  unsigned threads_ = 0, lanes_ = 32;
  uint64_t fresh_bytes_ = 0;
};

}  // namespace lab::emulated
