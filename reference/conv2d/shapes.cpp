// The shapes that every build is checked on. All are small, because even the slowest student kernel runs all
// of them.
#include <algorithm>
#include <set>

#include "reference/conv2d/problem.h"

namespace harness::conv2d {

namespace {

/// Larger tiles would need images that are too large for a simple loop.
constexpr int64_t largest_tile = 128;

class List {
 public:
  explicit List(Dtype dtype) : dtype_(dtype) {}

  void add(const Shape& shape) {
    auto problem = std::make_shared<Conv2d>(dtype_, shape);
    if (seen_.insert(problem->label()).second) problems_.push_back(std::move(problem));
  }

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
  list.add({3, 2, 12, 12, 4, 3, 3, 1, 1});  // several images and filters
  list.add({2, 4, 9, 14, 3, 3, 3, 2, 2});
  list.add({2, 5, 7, 31, 6, 1, 1, 1, 0});   // a matrix product
  list.add({2, 3, 7, 8, 2, 1, 1, 3, 2});    // some outputs read only padding
  list.add({1, 2, 10, 17, 3, 2, 2, 2, 0});  // even filters
  list.add({1, 2, 10, 17, 3, 4, 4, 1, 2});
  list.add({1, 2, 19, 23, 2, 5, 3, 1, 2});  // filters that are not square
  list.add({2, 2, 19, 23, 2, 1, 7, 2, 2});
  list.add({1, 2, 17, 15, 1, 7, 7, 3, 2});
  list.add({1, 1, 1, 67, 2, 1, 3, 1, 0});  // one row
  list.add({1, 1, 67, 1, 2, 3, 1, 1, 0});  // one column
  list.add({1, 40, 5, 6, 2, 3, 3, 1, 1});  // long sums
  list.add({2, 3, 9, 8, 19, 3, 3, 1, 1});  // many filters
  list.add({1, 3, 64, 64, 8, 3, 3, 1, 1});
  list.add({2, 2, 64, 128, 2, 3, 3, 1, 1});  // whole tiles, for variants that support nothing else
  list.add({1, 1, 65, 65, 1, 3, 3, 1, 1});    // an odd square
  list.add({1, 1, 3, 1100, 1, 3, 3, 1, 1});   // long and thin in each direction; longer than 1024, where a grid may end
  list.add({1, 1, 1100, 3, 1, 3, 3, 1, 1});
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

}  // namespace harness::conv2d
