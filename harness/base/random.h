// Random numbers: from a seed and a counter (the same data for any number of threads), and secret ones from the system.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>

namespace harness {

/// Mixes a counter under a seed (splitmix64 finalizer over a Weyl sequence; Steele, Lea, Flood 2014).
constexpr uint64_t random_bits(uint64_t seed, uint64_t counter) {
  uint64_t z = seed + (counter + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/// Numbers in a row from one seed.
class Draws {
 public:
  explicit Draws(uint64_t seed) : seed_(seed) {}

  /// Both ends included.
  int64_t between(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(random_bits(seed_, counter_++) % static_cast<uint64_t>(high - low + 1));
  }
  bool one_in(int64_t n) { return between(1, n) == 1; }
  template <class T>
  T one_of(std::initializer_list<T> all) {
    return all.begin()[between(0, static_cast<int64_t>(all.size()) - 1)];
  }
  /// Between three quarters of n and n: odd for the step 1, else a multiple of the step if n is that large.
  int64_t a_little_less(int64_t n, int64_t step) {
    const int64_t less = n - between(0, std::min<int64_t>(n / 4, 19));
    return step == 1 ? less - (less + 1) % 2 : less < step ? less : less / step * step;
  }

 private:
  uint64_t seed_, counter_ = 0;
};

/// From the generator of the kernel, so that a variant cannot guess them.
uint64_t secret_bits();

}  // namespace harness
