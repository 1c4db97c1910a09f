#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>
#include <cstring>
#include <random>

#include "harness/base/parallel.h"
#include "harness/check/tolerance.h"
#include "reference/gemm/run_for_test.h"

namespace harness::gemm {
namespace {

const Axes padded =
    with(edges(67, 71, 33),
         {{"lda", int64_t{40}}, {"ldb", int64_t{80}}, {"ldc", int64_t{72}}, {"alpha", 1.5}, {"beta", 0.5}});

bool same(const GemmRun& a, const GemmRun& b) {
  for (size_t i = 0; i < a.memory.size(); ++i)
    if (std::memcmp(a.memory[i].data(), b.memory[i].data(), a.memory[i].size() * 8) != 0) return false;
  return true;
}

/// This thread may use one core only, until the end of the scope.
class OneCore {
 public:
  OneCore() {
    sched_getaffinity(0, sizeof before_, &before_);
    cpu_set_t one;
    CPU_ZERO(&one);
    for (int c = 0; c < CPU_SETSIZE; ++c)
      if (CPU_ISSET(c, &before_)) {
        CPU_SET(c, &one);
        break;
      }
    sched_setaffinity(0, sizeof one, &one);
  }
  ~OneCore() { sched_setaffinity(0, sizeof before_, &before_); }

 private:
  cpu_set_t before_;
};

TEST(Fill, IsTheSameForAnyNumberOfThreads) {
  for (const Fill fill : both_fills) {
    const Axes large = {{"size", int64_t{700}}, {"beta", 1.0}};  // above the grain: threads are used
    const GemmRun many(Dtype::f32, large, fill, 5);
    const OneCore guard;
    ASSERT_EQ(usable_cores(), 1);
    EXPECT_TRUE(same(many, GemmRun(Dtype::f32, large, fill, 5)));
  }
}

TEST(Fill, DependsOnTheSeed) {
  for (const Fill fill : both_fills) {
    EXPECT_TRUE(same(GemmRun(Dtype::f64, padded, fill, 5), GemmRun(Dtype::f64, padded, fill, 5)));
    EXPECT_FALSE(same(GemmRun(Dtype::f64, padded, fill, 5), GemmRun(Dtype::f64, padded, fill, 6)));
  }
}

TEST(Fill, DoesNotDependOnLeadingDimensions) {
  GemmRun a(Dtype::f32, edges(9, 11, 13), Fill::reals),
      b(Dtype::f32, with(edges(9, 11, 13), {{"lda", int64_t{20}}}), Fill::reals);
  for (int64_t i = 0; i < 9; ++i)
    for (int64_t p = 0; p < 13; ++p) EXPECT_EQ(a.of<float>(0).at(i, p), b.of<float>(0).at(i, p));
}

TEST(Fill, MatricesDiffer) {
  GemmRun run(Dtype::f32, {{"size", int64_t{8}}, {"beta", 1.0}}, Fill::reals);
  EXPECT_NE(run.of<float>(0).at(0, 0), run.of<float>(1).at(0, 0));
  EXPECT_NE(run.of<float>(1).at(0, 0), run.of<float>(2).at(0, 0));
}

TEST(Fill, PaddingOfMatricesThatAreReadIsNanAndLarge) {
  for (const Fill fill : both_fills) {
    GemmRun f32(Dtype::f32, padded, fill), f64(Dtype::f64, padded, fill);
    for (size_t b = 0; b < 2; ++b) {
      const auto m = f32.of<float>(b);
      const auto d = f64.of<double>(b);
      int nans = 0, large = 0;
      for (int64_t i = 0; i + 1 < m.rows; ++i)
        for (int64_t j = m.cols; j < m.ld; ++j) {
          nans += std::bit_cast<uint32_t>(m.at(i, j)) == padding_bits(Dtype::f32);
          nans += std::bit_cast<uint64_t>(d.at(i, j)) == padding_bits(Dtype::f64);
          large += std::abs(m.at(i, j)) > 1e29f;
          large += std::abs(d.at(i, j)) > 1e200;
        }
      EXPECT_GT(nans, 0);
      EXPECT_GT(large, 0);
      EXPECT_EQ(nans + large, 2 * (m.rows - 1) * (m.ld - m.cols));
    }
  }
  EXPECT_TRUE(std::isnan(std::bit_cast<float>(static_cast<uint32_t>(padding_bits(Dtype::f32)))));
  EXPECT_TRUE(std::isnan(std::bit_cast<double>(padding_bits(Dtype::f64))));
}

TEST(Fill, AnOutputThatIsNotReadHoldsNumbersBesidesRealData) {
  GemmRun run(Dtype::f32, edges(5, 7, 3), Fill::reals);
  const auto c = run.of<float>(2);
  for (int64_t i = 0; i < c.rows; ++i)
    for (int64_t j = 0; j < c.cols; ++j) EXPECT_LE(std::abs(c.at(i, j)), 1);
}

TEST(Fill, PaddingOfAnOutputIsAnotherNanEachTime) {
  GemmRun f32(Dtype::f32, with(edges(67, 71, 33), {{"ldc", int64_t{80}}}), Fill::reals);
  const auto c = f32.of<float>(2);
  std::set<uint32_t> seen;
  for (int64_t i = 0; i + 1 < c.rows; ++i)
    for (int64_t j = c.cols; j < c.ld; ++j) {
      EXPECT_TRUE(std::isnan(c.at(i, j)));
      seen.insert(std::bit_cast<uint32_t>(c.at(i, j)));
    }
  EXPECT_GT(seen.size(), static_cast<size_t>((c.rows - 1) * (c.ld - c.cols) / 2));
}

TEST(Fill, OutputThatIsNotReadIsPoison) {
  GemmRun run(Dtype::f32, edges(5, 6, 7), Fill::integers);
  for (int64_t i = 0; i < 30; ++i)
    EXPECT_EQ(std::bit_cast<uint32_t>(run.of<float>(2).data[i]), 0x01010101u * poison_byte);
}

TEST(Fill, IntegersAreNonzeroMixedAndInRange) {
  for (const Dtype t : all_dtypes) {
    GemmRun run(t, padded, Fill::integers);
    const auto limit = static_cast<double>(static_cast<const Gemm&>(*run.problem).largest_integer());
    int negative = 0, cells = 0;
    double largest = 0;
    for (size_t b = 0; b < 3; ++b) {
      const BufferSpec& spec = run.problem->buffers()[b];
      for (int64_t i = 0; i < spec.rows; ++i)
        for (int64_t j = 0; j < spec.cols; ++j) {
          const double x =
              load(t, run.buffers[b], i * spec.ld + j);
          EXPECT_EQ(x, std::round(x));
          EXPECT_NE(x, 0);
          largest = std::max(largest, std::abs(x));
          negative += x < 0;
          ++cells;
        }
    }
    EXPECT_LE(largest, limit);
    EXPECT_GT(largest, 0.9 * limit);
    EXPECT_NEAR(negative, cells / 2, cells / 20);
  }
}

TEST(Fill, RealsAreUniform) {
  GemmRun run(Dtype::f32, {{"size", int64_t{300}}}, Fill::reals);
  double sum = 0, squares = 0, least = 1, largest = -1;
  for (int64_t i = 0; i < 90000; ++i) {
    const double x = static_cast<double>(run.of<float>(1).data[i]);
    sum += x;
    squares += x * x;
    least = std::min(least, x);
    largest = std::max(largest, x);
  }
  EXPECT_NEAR(sum / 90000, 0, 0.01);
  EXPECT_NEAR(squares / (90000 * 15. / 16), 1.0 / 3, 0.01);  // without those that are 0
  EXPECT_GE(least, -1);
  EXPECT_LT(least, -0.999);
  EXPECT_LT(largest, 1);
  EXPECT_GT(largest, 0.999);
}

TEST(Fill, RowsOfADifferInSize) {
  GemmRun run(Dtype::f32, {{"size", int64_t{300}}}, Fill::reals);
  std::vector<double> largest(300);
  for (size_t i = 0; i < 300; ++i)
    for (int64_t p = 0; p < 300; ++p)
      largest[i] = std::max(largest[i], std::abs(static_cast<double>(run.of<float>(0).at(static_cast<int64_t>(i), p))));
  EXPECT_GT(std::ranges::max(largest), 0.9);
  EXPECT_LT(std::ranges::min(largest), 0x1p-8);
  EXPECT_GT(std::ranges::min(largest), 0.9 * 0x1p-8);
}

TEST(Fill, OneRealInSixteenIsZeroButNotInSmallMatrices) {
  const auto zeros = [](int64_t size, Fill fill) {
    GemmRun run(Dtype::f32, {{"size", size}}, fill);
    int64_t count = 0;
    for (const size_t matrix : {0, 1})
      for (int64_t i = 0; i < size; ++i)
        for (int64_t j = 0; j < size; ++j) count += run.of<float>(matrix).at(i, j) == 0;
    return static_cast<double>(count) / static_cast<double>(2 * size * size);
  };
  EXPECT_NEAR(zeros(300, Fill::reals), 1. / 16, 0.004);
  EXPECT_EQ(zeros(300, Fill::integers), 0);
  EXPECT_EQ(zeros(15, Fill::reals), 0);
}

TEST(Fill, FirstCellIsNeverZero) {
  const Axes often_zero = with(edges(1, 1, 1000), {{"alpha", 1000.0}});  // integers of -2 .. 2
  for (uint64_t seed = 0; seed < 3000; ++seed) {
    GemmRun run(Dtype::f32, often_zero, Fill::integers, seed);
    double value, scale;
    run.problem->reference(run.inputs, &value, &scale);
    ASSERT_NE(value, 0) << seed;
  }
}

/// What Fill::integers promises: in the problem's own type, any order of summation gives the same bits.
template <class T>
void any_order_is_exact(Dtype dtype, int64_t k, double alpha, double beta) {
  GemmRun run(dtype, with(edges(3, 4, k), {{"alpha", alpha}, {"beta", beta}}), Fill::integers,
              static_cast<uint64_t>(k));
  std::vector<double> value(12), scale(12);
  run.problem->reference(run.inputs, value.data(), scale.data());
  std::mt19937 order(1);
  for (int64_t cell = 0; cell < 12; ++cell) {
    const int64_t i = cell / 4, j = cell % 4;
    const T a = static_cast<T>(alpha), old = beta == 0 ? T(0) : static_cast<T>(beta) * run.of<T>(2).at(i, j);
    std::vector<T> late, early;
    for (int64_t p = 0; p < k; ++p) {
      late.push_back(run.of<T>(0).at(i, p) * run.of<T>(1).at(p, j));
      early.push_back((a * run.of<T>(0).at(i, p)) * run.of<T>(1).at(p, j));
    }
    for (int round = 0; round < 4; ++round) {
      // The worst orders put one sign first.
      if (round == 0)
        std::sort(late.begin(), late.end());
      else
        std::shuffle(late.begin(), late.end(), order);
      if (round == 0)
        std::sort(early.begin(), early.end());
      else
        std::shuffle(early.begin(), early.end(), order);
      T sum = 0, scaled = old;
      for (const T x : late) sum += x;
      for (const T x : early) scaled += x;
      ASSERT_EQ(static_cast<double>(a * sum + old), value[static_cast<size_t>(cell)]) << k << " " << alpha;
      ASSERT_EQ(static_cast<double>(scaled), value[static_cast<size_t>(cell)]) << k << " " << alpha;
    }
  }
}

TEST(Fill, IntegersAreExactInAnyOrder) {
  for (const int64_t k : {1, 2, 7, 64, 1000, 16384})
    for (const auto& [alpha, beta] :
         {std::pair{1.0, 0.0}, {1.5, 0.5}, {-0.125, 3.0}, {1.0, 1.0}, {100.0, 0.0}}) {
      any_order_is_exact<float>(Dtype::f32, k, alpha, beta);
      any_order_is_exact<double>(Dtype::f64, k, alpha, beta);
    }
}

}  // namespace
}  // namespace harness::gemm
