#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>

#include "reference/gemm/run_for_test.h"

namespace harness::gemm {
namespace {

std::vector<Shape> shapes(const Axes& macros = {}, const Axes& scalars = {}) {
  std::vector<Shape> all;
  for (const ProblemPtr& p : kernel().check_problems(Dtype::f32, macros, scalars))
    all.push_back(static_cast<const Gemm&>(*p).shape());
  return all;
}

template <class F>
bool any(const std::vector<Shape>& all, F f) {
  return std::any_of(all.begin(), all.end(), f);
}

bool has(const std::vector<Shape>& all, int64_t m, int64_t n, int64_t k) {
  return any(all, [=](const Shape& s) { return s.m == m && s.n == n && s.k == k; });
}

TEST(CheckProblems, CoverWhatKernelsGetWrong) {
  const auto all = shapes();
  EXPECT_TRUE(has(all, 1, 1, 1));
  EXPECT_TRUE(has(all, 7, 11, 13));
  EXPECT_TRUE(has(all, 31, 37, 41));
  EXPECT_TRUE(has(all, 64, 64, 64));
  EXPECT_TRUE(has(all, 33, 33, 33));
  EXPECT_TRUE(any(all, [](const Shape& s) { return s.m == 1 && s.n > 1; }));
  EXPECT_TRUE(any(all, [](const Shape& s) { return s.n == 1 && s.m > 1; }));
  EXPECT_TRUE(any(all, [](const Shape& s) { return s.k == 1 && s.m > 1; }));
  EXPECT_TRUE(has(all, 1, 1100, 3) && has(all, 1, 3, 1100) && has(all, 3, 1, 1100) && has(all, 1100, 1, 3));
  EXPECT_TRUE(has(all, 130, 130, 1));
  EXPECT_TRUE(any(all, [](const Shape& s) { return s.m > 50 * std::max(s.n, s.k); }));
  EXPECT_TRUE(any(all, [](const Shape& s) { return s.n > 50 * std::max(s.m, s.k); }));
  EXPECT_TRUE(any(all, [](const Shape& s) { return s.k > 50 * std::max(s.m, s.n); }));
  EXPECT_TRUE(
      any(all, [](const Shape& s) { return s.lda > s.k && s.ldb > s.n && s.ldc > s.n && s.beta == 0; }));
  EXPECT_TRUE(any(all, [](const Shape& s) { return s.lda > s.k && s.beta != 0; }));
  EXPECT_TRUE(any(all, [](const Shape& s) { return s.m == s.n && s.n == s.k && s.beta == 0; }));
  EXPECT_TRUE(any(all, [](const Shape& s) { return s.alpha == 1.5 && s.beta == 0.5; }));
}

TEST(CheckProblems, HaveTheEdgesOfTheBuildsTiles) {
  const auto all = shapes({{"BLOCK", int64_t{24}}, {"PARTITION", std::string("row")}});
  EXPECT_TRUE(has(all, 23, 24, 25));
  EXPECT_TRUE(has(all, 25, 23, 24));
  EXPECT_TRUE(has(all, 24, 49, 47));
  EXPECT_FALSE(has(all, 15, 16, 17)) << "the usual tiles are for builds without macros";
  EXPECT_TRUE(has(shapes(), 15, 16, 17));
  EXPECT_TRUE(has(all, 72, 24, 48));
  EXPECT_TRUE(has(shapes({{"TILE", int64_t{128}}}), 384, 128, 256));
  EXPECT_TRUE(has(all, 32, 64, 96));
}

TEST(CheckProblems, HaveARestInOneDirectionOnly) {
  for (const int64_t tile : {8, 16, 32, 64, 48, 128}) {
    const auto all = shapes({{"TILE", tile}});
    const auto rests = [tile](const Shape& s) { return std::array{s.m % tile != 0, s.n % tile != 0, s.k % tile != 0}; };
    for (const std::array<bool, 3> want : {std::array{true, false, false}, {false, true, false}, {false, false, true}})
      EXPECT_TRUE(any(all, [&](const Shape& s) { return rests(s) == want; })) << tile;
  }
}

TEST(CheckProblems, HaveTheUsualScalarsInEachCombination) {
  const auto all = shapes({}, {});
  for (const auto& [alpha, beta] : {std::pair{1., 0.}, {1., 1.}, {-1., 0.}, {-1., 1.}, {0., 1.}, {0., 0.5}})
    EXPECT_TRUE(any(all, [&](const Shape& s) { return s.alpha == alpha && s.beta == beta; })) << alpha << " " << beta;
}

TEST(CheckProblems, UseTheScalarsOfTheSweep) {
  const auto all = shapes({}, {{"alpha", 2.5}, {"beta", int64_t{3}}});
  EXPECT_TRUE(any(all, [](const Shape& s) { return s.alpha == 2.5 && s.beta == 3; }));
  EXPECT_TRUE(any(all, [](const Shape& s) { return s.beta == 0; }));
  EXPECT_TRUE(any(all, [](const Shape& s) { return s.alpha == 1.5 && s.beta == 0.5; }));
}

TEST(Neighbours, HaveOtherRemaindersAndAboutTheSameSize) {
  const auto own = *kernel().problem(Dtype::f32, {{"size", int64_t{256}}});
  for (uint64_t seed = 0; seed < 50; ++seed) {
    const auto near = kernel().neighbours(*own, seed, 4);
    ASSERT_EQ(near.size(), 4u);
    for (size_t i = 0; i < near.size(); ++i) {
      const Shape& s = static_cast<const Gemm&>(*near[i]).shape();
      const auto [least, most] = std::minmax({s.m, s.n, s.k});
      EXPECT_LE(most, 256) << near[i]->label();
      if (i == 1) {
        EXPECT_LE(least, 128) << near[i]->label();
      } else {
        EXPECT_GE(least, 256 - 19 - 8) << near[i]->label();
      }
    }
    const Shape& odd = static_cast<const Gemm&>(*near[0]).shape();
    EXPECT_TRUE(odd.m % 2 == 1 && odd.n % 2 == 1 && odd.k % 2 == 1) << near[0]->label();
    const Shape& whole = static_cast<const Gemm&>(*near[2]).shape();
    EXPECT_TRUE(whole.m == 256 && whole.n == 256 && whole.k == 256) << near[2]->label();
    EXPECT_TRUE(whole.ldb > 256 && whole.ldb % 8 == 0 && whole.alpha != 1) << near[2]->label();
    const Shape& plain = static_cast<const Gemm&>(*near[3]).shape();
    EXPECT_TRUE(plain.m == 256 && plain.n == 256 && plain.k == 256 && plain.ldc > 256) << near[3]->label();
    EXPECT_TRUE(plain.alpha == 1 && plain.beta == 0) << near[3]->label();
  }
  const auto tiny = kernel().neighbours(**kernel().problem(Dtype::f32, {{"size", int64_t{1}}}), 1, 4);
  for (const ProblemPtr& p : tiny) EXPECT_EQ(static_cast<const Gemm&>(*p).shape().m, 1);
}

TEST(Reduced, KeepsTheProportionsAndEndsAtOneElement) {
  const auto reduced = [](int64_t m, int64_t n, int64_t k, double flops) {
    return kernel().reduced(**kernel().problem(Dtype::f32, {{"m", m}, {"n", n}, {"k", k}}), flops, 1 << 20);
  };
  EXPECT_EQ(reduced(64, 32, 1, 1e3)->label(), "m=16 n=8 k=1");
  EXPECT_EQ(reduced(1, 1, 1, 0.25), nullptr);
}

TEST(CheckProblems, AreFewSmallAndDifferent) {
  for (const Axes& macros :
       {Axes{}, Axes{{"BLOCK", int64_t{128}}}, Axes{{"BLOCK", int64_t{1024}}},
        Axes{{"TM", int64_t{4}}, {"TN", int64_t{8}}, {"TILE", int64_t{64}}, {"BK", int64_t{16}}},
        Axes{{"A", int64_t{2}},
             {"B", int64_t{3}},
             {"C", int64_t{5}},
             {"D", int64_t{9}},
             {"E", int64_t{17}},
             {"F", int64_t{33}}}}) {
    std::set<std::string> labels;
    const auto problems = kernel().check_problems(Dtype::f32, macros, {});
    EXPECT_GE(problems.size(), 15u);
    EXPECT_LE(problems.size(), 64u);
    for (const ProblemPtr& p : problems) {
      labels.insert(p->label());
      const Shape& s = static_cast<const Gemm&>(*p).shape();
      const bool whole_tiles = s.m == 3 * s.n && s.k == 2 * s.n;
      EXPECT_LE(p->flops(), whole_tiles ? 2.0 * 384 * 128 * 256 : 2.0 * 130 * 130 * 130) << p->label();
      EXPECT_TRUE(p->exact_possible(unit_roundoff(Dtype::f32), 0)) << p->label();
    }
    EXPECT_EQ(labels.size(), problems.size());
  }
}

TEST(DrawnProblems, AreSmallAndOthersForEachSeed) {
  std::set<std::string> labels;
  int whole = 0, vectors = 0, beyond_2048 = 0;
  for (uint64_t seed = 0; seed < 50; ++seed)
    for (const ProblemPtr& p : kernel().drawn_problems(Dtype::f32, {{"TILE", int64_t{24}}}, seed, 20)) {
      const Shape& s = static_cast<const Gemm&>(*p).shape();
      labels.insert(p->label());
      whole += s.m % 24 == 0 && s.n % 24 == 0 && s.k % 24 == 0;
      vectors += (s.m == 1 && s.n > 300 && s.k > 300) || (s.n == 1 && s.m > 300 && s.k > 300);
      beyond_2048 += s.n > 2048;
      EXPECT_LE(p->flops(), 1e6) << p->label();
      Axes own = p->parameters();
      std::erase_if(own, [](const auto& a) { return a.first == "size"; });
      EXPECT_EQ(bool(kernel().problem(Dtype::f32, own)), s.alpha != 0) << p->label();
    }
  EXPECT_GT(beyond_2048, 10);
  EXPECT_GT(labels.size(), 900u);
  EXPECT_GT(whole, 30);
  EXPECT_GT(vectors, 10);
}

}  // namespace
}  // namespace harness::gemm
