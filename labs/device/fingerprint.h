// A fingerprint of a buffer: 64 bits, with which a worker commits itself to the output of a call before it knows
// whether the harness will fetch it. It has the same value on every host and device.
//
// It is SipHash with one and three rounds (Aumasson, Bernstein 2012), in a tree, so that a device can compute it in
// parallel. A sum or an xor over the elements would not do: a variant that computes only when it is asked could
// choose the last bits of some elements so that the sum fits.
#pragma once

#include "device/refresh.h"

namespace lab {

/// Values of the levels of the tree. Value i of a level comes from elements i, i + width, ... of what is below it.
constexpr int64_t fingerprint_widths[] = {int64_t{1} << 16, int64_t{1} << 8, 1};

class SipHash {
 public:
  LAB_ANYWHERE void add(uint64_t word) {
    d_ ^= word;
    round();
    a_ ^= word;
  }
  LAB_ANYWHERE uint64_t end() {
    c_ ^= 0xff;
    for (int i = 0; i < 3; ++i) round();
    return a_ ^ b_ ^ c_ ^ d_;
  }

 private:
  LAB_ANYWHERE static uint64_t rotated(uint64_t x, int bits) { return x << bits | x >> (64 - bits); }
  LAB_ANYWHERE void round() {
    a_ += b_, b_ = rotated(b_, 13) ^ a_, a_ = rotated(a_, 32);
    c_ += d_, d_ = rotated(d_, 16) ^ c_;
    a_ += d_, d_ = rotated(d_, 21) ^ a_;
    c_ += b_, b_ = rotated(b_, 17) ^ c_, c_ = rotated(c_, 32);
  }
  uint64_t a_ = 0x736f6d6570736575u, b_ = 0x646f72616e646f6du, c_ = 0x6c7967656e657261u, d_ = 0x7465646279746573u;
};

/// Value `i` of a level with `width` values, of `count` words below it.
template <class Word>
LAB_ANYWHERE inline uint64_t fingerprint_value(const Word* words, int64_t count, int64_t i, int64_t width) {
  SipHash hash;
  for (; i < count; i += width) hash.add(words[i]);
  return hash.end();
}

}  // namespace lab
