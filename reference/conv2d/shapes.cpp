// The shapes that every build is checked on. All are small, because even the slowest student kernel runs all
// of them.
#include <algorithm>
#include <set>

#include "harness/base/random.h"
#include "reference/conv2d/problem.h"

namespace harness::conv2d {

namespace {

/// Larger tiles would need images that are too large for a simple loop.
constexpr int64_t largest_tile = 128;
constexpr double most_drawn_flops = 1e6;

class List {
 public:
  explicit List(Dtype dtype) : dtype_(dtype) {}

  void add(const Shape& shape) {
    auto problem = std::make_shared<Conv2d>(dtype_, shape);
    if (seen_.insert(problem->label()).second) problems_.push_back(std::move(problem));
  }

  int size() const { return static_cast<int>(problems_.size()); }
  std::vector<ProblemPtr> take() { return std::move(problems_); }

 private:
  Dtype dtype_;
  std::set<std::string> seen_;
  std::vector<ProblemPtr> problems_;
};

/// Possible tile sizes: the integer macros of the build, or usual sizes if it has none.
std::set<int64_t> tiles_of(const Axes& macros) {
  std::set<int64_t> tiles;
  for (const auto& [name, value] : macros)
    if (const auto* i = std::get_if<int64_t>(&value); i != nullptr && *i >= 2 && *i <= largest_tile)
      tiles.insert(*i);
  if (tiles.empty()) tiles = {16, 32};
  return tiles;
}

}  // namespace

// Data is random, so the channels of a filter differ and no filter is symmetric.
std::vector<ProblemPtr> check_problems(Dtype dtype, const Axes& macros, const Axes&) {
  // batch, channels, height, width, filters, filter_height, filter_width, stride, padding
  List list(dtype);
  list.add({1, 1, 1, 1, 1, 1, 1, 1, 0});  // one pixel
  list.add({1, 1, 1, 1, 1, 3, 3, 1, 1});  // one pixel under the middle of a filter
  list.add({1, 3, 1, 1, 2, 5, 5, 3, 2});
  list.add({1, 1, 3, 3, 1, 3, 3, 1, 0});  // one output pixel
  list.add({1, 1, 11, 13, 1, 3, 3, 1, 0});
  list.add({1, 3, 13, 11, 1, 3, 3, 1, 1});  // a small copy of the lab's problem
  list.add({1, 3, 13, 12, 1, 3, 3, 2, 1});  // the same with rows of whole vectors
  list.add({1, 3, 13, 12, 1, 3, 3, 3, 1});
  list.add({1, 3, 16, 16, 1, 3, 3, 2, 0});  // no filter position covers the last row and column
  list.add({4, 2, 12, 12, 4, 3, 3, 1, 1});  // several images and filters
  list.add({2, 4, 9, 14, 3, 3, 3, 2, 2});
  list.add({2, 5, 7, 31, 6, 1, 1, 1, 0});   // a matrix product
  list.add({2, 3, 7, 8, 2, 1, 1, 3, 2});    // some outputs read only padding
  list.add({2, 2, 7, 8, 2, 3, 3, 2, 4});
  list.add({1, 2, 10, 17, 3, 2, 2, 2, 0});  // even filters
  list.add({1, 2, 10, 17, 3, 4, 4, 1, 2});
  list.add({1, 2, 19, 23, 2, 5, 3, 1, 2});  // filters that are not square
  list.add({2, 2, 19, 23, 2, 1, 7, 2, 2});
  list.add({1, 2, 17, 19, 2, 5, 5, 4, 2});
  list.add({1, 1, 19, 22, 1, 9, 9, 1, 4});
  list.add({1, 1, 21, 20, 2, 6, 6, 2, 3});
  list.add({1, 1, 27, 26, 1, 11, 11, 4, 2});
  list.add({2, 3, 7, 8, 2, 1, 1, 1, 1});  // usual layers with several images, channels and filters
  list.add({2, 3, 7, 8, 4, 1, 1, 2, 1});
  list.add({2, 3, 8, 9, 5, 1, 1, 2, 0});
  list.add({2, 3, 9, 12, 3, 3, 3, 1, 0});
  list.add({2, 3, 16, 16, 4, 3, 3, 1, 1});
  list.add({1, 3, 7, 8, 2, 3, 3, 1, 4});
  list.add({2, 3, 9, 11, 3, 3, 3, 2, 1});
  list.add({2, 2, 12, 11, 2, 5, 5, 1, 2});
  list.add({1, 2, 17, 19, 2, 5, 5, 2, 2});
  list.add({2, 3, 20, 23, 2, 7, 7, 2, 3});
  list.add({2, 2, 9, 12, 2, 1, 5, 1, 2});
  list.add({2, 2, 12, 9, 2, 5, 1, 2, 2});
  list.add({1, 3, 5, 6, 2, 5, 6, 1, 0});  // the filter covers the image
  list.add({1, 1, 1, 67, 2, 1, 3, 1, 0});  // one row
  list.add({1, 1, 67, 1, 2, 3, 1, 1, 0});  // one column
  list.add({1, 130, 5, 4, 9, 3, 3, 1, 1});  // long sums; more of each than an array may hold
  list.add({17, 1, 4, 5, 130, 3, 3, 1, 1});
  list.add({1, 64, 3, 3, 64, 3, 3, 1, 1});  // whole blocks of channels and filters
  list.add({4, 16, 5, 6, 16, 3, 3, 1, 1});
  list.add({2, 32, 4, 4, 32, 1, 1, 1, 0});
  list.add({2, 33, 4, 5, 18, 1, 1, 1, 0});  // blocks of channels or filters, with several images and each kind of filter
  list.add({2, 35, 5, 6, 9, 3, 3, 2, 1});
  list.add({2, 18, 6, 7, 11, 5, 5, 1, 2});
  list.add({2, 18, 6, 7, 33, 3, 3, 2, 2});
  list.add({1, 1, 33, 31, 1, 17, 17, 10, 8});
  list.add({1, 2, 24, 20, 1, 3, 3, 6, 1});
  list.add({1, 3, 17, 32, 3, 3, 3, 1, 1});  // a fast path may ask for whole tiles in one direction and forget another
  list.add({1, 2, 32, 17, 3, 3, 3, 1, 1});
  list.add({1, 2, 16, 16, 3, 5, 5, 1, 2});
  list.add({1, 5, 8, 8, 3, 1, 1, 1, 0});
  list.add({1, 3, 64, 64, 8, 3, 3, 1, 1});
  list.add({2, 2, 64, 128, 2, 3, 3, 1, 1});  // whole tiles, for variants that support nothing else
  list.add({1, 1, 65, 65, 1, 3, 3, 1, 1});    // an odd square
  list.add({1, 2, 3, 1100, 2, 3, 3, 1, 1});   // long and thin in each direction; longer than 1024, where a grid may end
  list.add({1, 2, 1100, 3, 2, 3, 3, 1, 1});
  list.add({1, 1, 260, 260, 1, 1, 1, 1, 0});  // more pixels than 16 bits count
  for (int64_t stride = 1; stride <= 3; ++stride)  // wider than the tiles of kernels with several results per thread
    list.add({1, 2, 35, 131, 1, 3, 3, stride, 1});

  const std::set<int64_t> tiles = tiles_of(macros);
  const bool all_mixes = tiles.size() <= 4;
  for (const int64_t t : tiles) {  // edges of the output, of the image or of both at the edge of a tile
    list.add({1, 2, t - 1, t + 1, 2, 3, 3, 1, 1});
    if (!all_mixes) continue;
    list.add({1, 1, t + 3, t + 2, 1, 3, 3, 1, 0});
    if (t <= largest_tile / 2) list.add({1, 1, 2 * t + 1, 2 * t - 1, 1, 3, 3, 2, 1});
  }
  return list.take();
}

std::vector<ProblemPtr> drawn_problems(Dtype dtype, const Axes&, uint64_t seed, int count) {
  Draws draws(seed);
  List list(dtype);
  while (list.size() < count) {
    Shape s{};
    s.batch = draws.one_of<int64_t>({1, 1, 2, 3, 5, 20});
    s.channels = draws.one_in(4) ? draws.between(10, 150) : draws.between(1, 9);
    s.filters = draws.one_in(4) ? draws.between(6, 150) : draws.between(1, 5);
    s.filter_height = draws.one_of<int64_t>({1, 2, 3, 3, 3, 4, 5, 5, 6, 7, 9, 11, 13, 31});
    s.filter_width = draws.one_in(3) ? draws.between(1, 9) : s.filter_height;
    s.stride = draws.one_of<int64_t>({1, 1, 1, 1, 2, 2, 3, 4, 5, 7, 12});
    // Mostly less than the filter, so that each result reads at least one pixel.
    const int64_t narrow = std::min(s.filter_height, s.filter_width);
    s.padding = s.stride == 1 && draws.one_in(8) ? draws.between(narrow, 2 * narrow)
                : draws.one_in(2)                ? narrow / 2
                                                 : draws.between(0, narrow - 1);
    const auto edge = [&](int64_t filter) {
      return std::max<int64_t>(1, filter - 2 * s.padding) + draws.between(0, draws.one_of<int64_t>({2, 2, 60, 60, 60, 300, 5000}));
    };
    s.height = edge(s.filter_height);
    s.width = edge(s.filter_width);
    // A wide step over large images is little work for the definition, and much for a transform of whole images.
    constexpr int64_t most_drawn_bytes = 4 << 20;
    const Conv2d drawn(dtype, s);
    if (drawn.flops() <= most_drawn_flops && drawn.buffer_bytes() <= most_drawn_bytes) list.add(s);
  }
  return list.take();
}

std::vector<ProblemPtr> neighbours(const Conv2d& problem, uint64_t seed, int count) {
  Draws draws(seed);
  List list(problem.dtype());
  for (int i = 0; i < count; ++i) {
    Shape s = problem.shape();
    const int64_t step = i == 0 ? 1 : draws.one_of<int64_t>({1, 2, 4, 8});
    const auto edge = [&](int64_t of) { return draws.a_little_less(of, draws.one_in(4) ? 1 : step); };
    if (draws.one_in(3)) s.batch = 2;
    s.channels = edge(s.channels);
    s.filters = edge(s.filters);
    if (i == 2 || draws.one_in(3)) {  // another filter; if it is larger, fewer of them
      const int64_t area = s.filter_height * s.filter_width;
      s.filter_height = draws.between(1, s.filter_height + 2);
      s.filter_width = draws.between(1, s.filter_width + 2);
      s.filters = std::clamp<int64_t>(s.filters * area / (s.filter_height * s.filter_width), 1, s.filters);
    }
    if (i == 2 || draws.one_in(3)) s.stride = draws.between(1, 5);
    if (draws.one_in(3)) s.padding = draws.between(0, std::min(s.filter_height, s.filter_width) - 1);
    s.height = edge(s.height);
    s.width = edge(s.width);
    if (i % 2 == 1) {  // other proportions: one size is larger and an edge smaller, so that the work does not grow
      int64_t& more = *draws.one_of({&s.batch, &s.channels, &s.filters, &s.height, &s.width});
      int64_t& less = *draws.one_of({&s.height, &s.width});
      const int64_t factor = draws.one_of<int64_t>({2, 4, 8});
      if (&more != &less) more *= std::min(factor, less);
      less = std::max<int64_t>(1, less / factor);
    }
    if (steps_over_image(s)) s.padding = std::min(s.filter_height, s.filter_width) - 1;
    s.height = std::max(s.height, s.filter_height - 2 * s.padding);
    s.width = std::max(s.width, s.filter_width - 2 * s.padding);
    list.add(s);
  }
  return list.take();
}

}  // namespace harness::conv2d
