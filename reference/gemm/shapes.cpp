// The shapes that every build is checked on. All are small, because even the slowest student kernel runs all
// of them.
#include <algorithm>
#include <array>
#include <set>

#include "harness/base/random.h"
#include "reference/gemm/problem.h"

namespace harness::gemm {

namespace {

/// Larger tiles would need problems that are too large for a simple triple loop.
constexpr int64_t largest_tile = 128;
/// Largest edge of a shape: two tiles and one more.
constexpr int64_t largest_edge = 2 * largest_tile / 2 + 2;
constexpr double most_drawn_flops = 1e6;

enum class Rows { packed, padded };

struct AlphaBeta {
  double alpha, beta;
};

class List {
 public:
  explicit List(Dtype dtype) : dtype_(dtype) {}

  void add(int64_t m, int64_t n, int64_t k, Rows rows, AlphaBeta scalars) {
    const bool padded = rows == Rows::padded;  // three different paddings, so that a kernel that mixes them up fails
    add({m, n, k, padded ? k + 3 : k, padded ? n + 5 : n, padded ? n + 1 : n, scalars.alpha, scalars.beta});
  }
  void add(const Shape& shape) {
    auto problem = std::make_shared<Gemm>(dtype_, shape);
    if (seen_.insert(problem->label()).second) problems_.push_back(std::move(problem));
  }

  int size() const { return static_cast<int>(problems_.size()); }
  std::vector<ProblemPtr> take() { return std::move(problems_); }

 private:
  Dtype dtype_;
  std::set<std::string> seen_;
  std::vector<ProblemPtr> problems_;
};

double number(const Axes& axes, const std::string& name, double otherwise) {
  const Value* v = find(axes, name);
  if (v == nullptr) return otherwise;
  if (const auto* i = std::get_if<int64_t>(v)) return static_cast<double>(*i);
  if (const auto* x = std::get_if<double>(v)) return *x;
  return otherwise;
}

/// Multiples of 1/4, with which sums of integers are exact, and now and then numbers that are rounded.
AlphaBeta draw_scalars(Draws& draws) {
  const auto quarters = [&] { return static_cast<double>(draws.between(-16, 16)) / 4; };
  const double alpha = draws.one_of({1., 1., -1., 0.7, quarters()});
  const double beta = draws.one_of({0., 0., 1., -1., -0.3, quarters()});
  return alpha == 0 && beta == 0 ? AlphaBeta{0, 1} : AlphaBeta{alpha, beta};
}

/// Possible tile sizes: the integer macros of the build, or usual sizes if it has none.
std::set<int64_t> tiles_of(const Axes& macros) {
  std::set<int64_t> tiles;
  for (const auto& [name, value] : macros)
    if (const auto* i = std::get_if<int64_t>(&value); i != nullptr && *i >= 2 && *i <= largest_tile) tiles.insert(*i);
  if (tiles.empty()) tiles = {16, 32};
  return tiles;
}

}  // namespace

std::vector<ProblemPtr> check_problems(Dtype dtype, const Axes& macros, const Axes& scalars) {
  constexpr AlphaBeta plain{1, 0}, mixed{1.5, 0.5};
  const AlphaBeta swept{number(scalars, "alpha", 1), number(scalars, "beta", 0)};

  List list(dtype);
  list.add(1, 1, 1, Rows::packed, plain);
  list.add(1, 1, 1, Rows::packed, mixed);
  list.add(7, 11, 13, Rows::packed, swept);
  list.add(7, 11, 13, Rows::padded, mixed);
  list.add(31, 37, 41, Rows::padded, plain);
  list.add(31, 37, 41, Rows::packed, mixed);
  list.add(64, 64, 64, Rows::packed, swept);
  // A fast path for whole tiles may take the rows for packed, even if it asks whether they allow loads of 4 elements.
  list.add({64, 64, 64, 68, 72, 76, mixed.alpha, mixed.beta});
  list.add({64, 64, 64, 76, 68, 72, swept.alpha, swept.beta});
  // Or it asks that two matrices are packed, and forgets the third.
  list.add({32, 32, 32, 36, 32, 32, swept.alpha, swept.beta});
  list.add({32, 32, 32, 32, 40, 32, swept.alpha, swept.beta});
  list.add({32, 32, 32, 32, 32, 44, swept.alpha, swept.beta});
  // Or that all three leading dimensions are equal, as in square matrices.
  list.add({32, 32, 32, 40, 40, 40, swept.alpha, swept.beta});
  list.add(48, 48, 48, Rows::padded, swept);
  list.add(1, 37, 20, Rows::padded, mixed);   // one row
  list.add(67, 1, 33, Rows::padded, mixed);   // one column
  list.add(1, 1, 129, Rows::packed, mixed);   // one dot product
  list.add(33, 29, 1, Rows::padded, mixed);   // one product per cell
  // Long and thin in each direction; longer than 1024, where a grid or an array may end. A kernel that works in blocks of some hundred
  // rows, columns or products must scale C once, and find its blocks where the leading dimensions say.
  list.add(5, 3, 1100, Rows::padded, plain);
  list.add(5, 1100, 3, Rows::padded, {2.5, -3});
  list.add(1100, 5, 3, Rows::padded, {-1.5, 2});
  list.add(1, 1100, 3, Rows::packed, swept);  // a path of its own for vectors, with an array that ends somewhere
  list.add(1, 3, 1100, Rows::packed, mixed);
  list.add(3, 1, 1100, Rows::padded, mixed);
  list.add(1100, 1, 3, Rows::packed, plain);
  list.add(130, 130, 1, Rows::packed, swept);  // or for outer products
  list.add(33, 33, 33, Rows::packed, swept);  // an odd square
  list.add(290, 70, 7, Rows::padded, swept);  // many tiles in each direction, in groups that are not full
  list.add(260, 260, 2, Rows::packed, plain);  // more cells than 16 bits count
  list.add(10, 14, 22, Rows::padded, {2.5, -3});
  list.add(18, 12, 10, Rows::packed, {0, 1});  // C does not change
  list.add(13, 10, 7, Rows::padded, {0, 0.5});
  list.add(11, 9, 6, Rows::packed, {1, 1});  // the usual scalars in each combination, also where few problems are drawn
  list.add(9, 6, 11, Rows::padded, {-1, 1});
  list.add(6, 11, 9, Rows::packed, {-1, 0});
  // Sums so long that keeping them in bf16 shows in the projections of whole rows too.
  if (dtype == Dtype::bf16) list.add(20, 20, 500, Rows::packed, swept);
  list.add(32, 64, 96, Rows::packed, swept);  // whole tiles of many variants; larger would be slow when emulated

  // A fast path may ask for whole tiles in two directions and forget the third.
  std::set<int64_t> wholes = tiles_of(macros);
  std::erase_if(wholes, [](int64_t tile) { return 64 % tile == 0; });
  wholes.insert(64);
  for (const int64_t t : wholes) {
    const int64_t rest = t / 2 + 3;
    list.add(t, t, rest, Rows::packed, swept);
    list.add(t, rest, t, Rows::packed, swept);
    list.add(rest, t, t, Rows::packed, swept);
  }

  const std::set<int64_t> tiles = tiles_of(macros);
  const bool all_mixes = tiles.size() <= 4;
  for (const int64_t t : tiles) {
    list.add(t - 1, t, t + 1, Rows::padded, plain);
    // Whole tiles, for variants that support nothing else. Edges differ, so that exchanged rows and columns show.
    list.add(3 * t, t, 2 * t, Rows::packed, swept);
    if (!all_mixes) continue;
    list.add(t + 1, t - 1, t, Rows::packed, mixed);
    if (2 * t + 1 <= largest_edge) list.add(t, 2 * t + 1, 2 * t - 1, Rows::packed, swept);
  }
  return list.take();
}

std::vector<ProblemPtr> drawn_problems(Dtype dtype, const Axes& macros, uint64_t seed, int count) {
  const std::set<int64_t> tiles = tiles_of(macros);
  Draws draws(seed);
  List list(dtype);
  while (list.size() < count) {
    const int64_t tile = *std::next(tiles.begin(), draws.between(0, static_cast<int64_t>(tiles.size()) - 1));
    const int64_t step = draws.one_in(2) ? 1 : draws.one_of<int64_t>({2, 4, 8, tile});
    const auto edge = [&] {
      const int64_t most = draws.one_of<int64_t>({9, 9, 70, 70, 70, 300});
      const int64_t own = draws.one_in(4) ? 1 : step;
      return own * draws.between(1, std::max<int64_t>(1, most / own));
    };
    const int64_t aligned = draws.one_in(2) ? step : 1;  // loads of several elements may be allowed, and rows not packed
    const auto gap = [&] { return draws.one_in(2) ? 0 : aligned * draws.between(1, draws.one_of<int64_t>({8, 8, 100})); };
    std::array<int64_t, 3> edges = {edge(), edge(), edge()};
    // Every fourth is long in one or two directions. On the emulated device, where only three are drawn, they would take too long: a
    // kernel with large tiles computes many times what a vector needs.
    if (list.size() % 4 == 3 && draws.one_in(3)) {
      for (int64_t& one : edges) one = draws.between(1, 9);
      edges[static_cast<size_t>(draws.between(0, 2))] = draws.between(1000, 5000);
    } else if (list.size() % 4 == 3) {
      for (int64_t& one : edges) one = draws.one_in(2) ? draws.between(300, 900) : draws.between(1, 40);
      if (draws.one_in(2)) edges[static_cast<size_t>(draws.between(0, 2))] = 1;
    }
    const auto [m, n, k] = edges;
    const AlphaBeta scalars = draw_scalars(draws);
    const Shape shape{m, n, k, k + gap(), n + gap(), n + gap(), scalars.alpha, scalars.beta};
    if (Gemm(dtype, shape).flops() <= most_drawn_flops) list.add(shape);
  }
  return list.take();
}

std::vector<ProblemPtr> neighbours(const Gemm& problem, uint64_t seed, int count) {
  Draws draws(seed);
  const Shape& own = problem.shape();
  List list(problem.dtype());
  for (int i = 0; i < count; ++i) {
    const bool first = i == 0;  // with odd edges, padding and scalars, whatever the case has
    // With the case's tiles, and padding that allows loads of several elements. First other scalars, then the case's own.
    const bool whole = i == 2 || i == 3;
    const int64_t step = first ? 1 : draws.one_of<int64_t>({1, 2, 4, 8});
    const auto edge = [&](int64_t of) { return draws.a_little_less(of, draws.one_in(4) ? 1 : step); };
    const auto gap = [&] { return whole ? 8 * draws.between(1, 4) : !first && draws.one_in(2) ? 0 : step * draws.between(1, 4); };
    std::array<int64_t, 3> edges = {edge(own.m), edge(own.n), edge(own.k)};
    if (whole) edges = {own.m, own.n, own.k};
    if (i % 2 == 1 && !whole) {  // other proportions, because a variant may have another way for long matrices
      for (int64_t& one : edges) one = std::max<int64_t>(1, one / draws.one_of<int64_t>({1, 1, 2, 3}));
      int64_t& shortest = edges[static_cast<size_t>(draws.between(0, 2))];
      shortest = std::max<int64_t>(1, shortest / draws.one_of<int64_t>({2, 5, 20, shortest}));
    }
    const auto [m, n, k] = edges;
    const AlphaBeta scalars = first            ? AlphaBeta{1.5, 0.5}
                              : i == 2         ? AlphaBeta{draws.one_of({-1., 2.5}), draws.one_of({0., 1.})}
                              : whole          ? AlphaBeta{own.alpha, own.beta}
                              : draws.one_in(2) ? draw_scalars(draws)
                                               : AlphaBeta{own.alpha, own.beta};
    list.add({m, n, k, k + gap(), n + gap(), n + gap(), scalars.alpha, scalars.beta});
  }
  return list.take();
}

}  // namespace harness::gemm
