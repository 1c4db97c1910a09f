// Random numbers: from a seed and a counter (the same data for any number of threads), and secret ones from the system.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

namespace harness {

/// The finalizer of splitmix64 (Steele, Lea, Flood 2014). It can be inverted.
constexpr uint64_t mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/// Mixes a counter under a seed. Twice, under two words that follow from the seed: after splitmix64 alone, two numbers would tell
/// the seed, and a variant that sees the first of its data would know the rest.
constexpr uint64_t random_bits(uint64_t seed, uint64_t counter) {
  constexpr uint64_t step = 0x9e3779b97f4a7c15u;
  const uint64_t first = mix(seed), second = mix(seed + step);
  return mix(second + mix(first + (counter + 1) * step));
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

/// Puts them in a random order (Fisher-Yates).
template <class T>
void shuffle(std::vector<T>& all, uint64_t seed) {
  for (size_t i = 1; i < all.size(); ++i) std::swap(all[i], all[random_bits(seed, i) % (i + 1)]);
}

/// From the generator of the kernel, so that a variant cannot guess them.
uint64_t secret_bits();

}  // namespace harness
