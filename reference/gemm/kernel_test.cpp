#include <gtest/gtest.h>

#include <limits>

#include "reference/gemm/run_for_test.h"

namespace harness::gemm {
namespace {

std::string error_of(const Axes& parameters) {
  const auto problem = kernel().problem(Dtype::f32, parameters);
  return problem ? "no error: " + (*problem)->label() : problem.error().message;
}

const int64_t one = 1;

TEST(GemmKernel, RegistersItself) {
  ASSERT_NE(find_kernel("gemm"), nullptr);
  EXPECT_EQ(kernel().name(), "gemm");
  EXPECT_EQ(kernel().formula(), "C = alpha A B + beta C");
  std::string names;
  for (const Parameter& p : kernel().parameters()) names += p.name + " ";
  EXPECT_EQ(names, "size m n k lda ldb ldc alpha beta ");
}

TEST(GemmKernel, SizeSetsAllEdges) {
  const auto p = make(Dtype::f32, {{"size", int64_t{64}}});
  EXPECT_EQ(p->label(), "m=64 n=64 k=64");
  EXPECT_EQ(to_string(p->parameters()), "size=64 m=64 n=64 k=64 lda=64 ldb=64 ldc=64 alpha=1 beta=0");
}

TEST(GemmKernel, LabelsShowWhatIsNotUsual) {
  const auto p = make(Dtype::f64, with(edges(3, 5, 7), {{"ldc", int64_t{9}}, {"alpha", 1.5}, {"beta", one}}));
  EXPECT_EQ(p->label(), "m=3 n=5 k=7 ldc=9 alpha=1.5 beta=1");
  EXPECT_EQ(to_string(p->parameters()), "m=3 n=5 k=7 lda=7 ldb=5 ldc=9 alpha=1.5 beta=1");
}

TEST(GemmKernel, WholeRealsAreIntegers) {
  EXPECT_EQ(make(Dtype::f32, {{"size", 1e3}})->label(), "m=1000 n=1000 k=1000");
}

TEST(GemmKernel, RejectsBadEdges) {
  EXPECT_EQ(error_of({{"m", int64_t{-3}}, {"n", one}, {"k", one}}), "m must be at least 1, not -3");
  EXPECT_EQ(error_of({{"size", int64_t{0}}}), "size must be at least 1, not 0");
  EXPECT_EQ(error_of({{"size", int64_t{1} << 40}}), "size must be at most 268435456, not 1099511627776");
  EXPECT_EQ(error_of({{"size", 2.5}}), "size must be an integer, not 2.5");
  EXPECT_EQ(error_of({{"size", 1e20}}), "size must be at most 268435456, not 1e+20");
  EXPECT_EQ(error_of({{"size", -1e20}}), "size must be at least 1, not -1e+20");
  EXPECT_EQ(error_of({{"size", std::string("big")}}), "size must be an integer, not \"big\"");
}

TEST(GemmKernel, RejectsIncompleteOrDoubleEdges) {
  EXPECT_EQ(error_of({}), "gemm needs size, or m, n and k: m, n, k are missing");
  EXPECT_EQ(error_of({{"m", one}, {"n", one}}), "gemm needs size, or m, n and k: k is missing");
  EXPECT_EQ(error_of({{"size", one}, {"m", one}}), "size sets m, n and k: give either size or m");
}

TEST(GemmKernel, RejectsShortLeadingDimensions) {
  EXPECT_EQ(error_of(with(edges(2, 3, 7), {{"lda", int64_t{5}}})), "lda must be at least k = 7, not 5");
  EXPECT_EQ(error_of(with(edges(2, 3, 7), {{"ldb", int64_t{2}}})), "ldb must be at least n = 3, not 2");
  EXPECT_EQ(error_of(with(edges(2, 3, 7), {{"ldc", int64_t{2}}})), "ldc must be at least n = 3, not 2");
  EXPECT_EQ(error_of(with(edges(2, 3, 7), {{"ldc", int64_t{-2}}})), "ldc must be at least 1, not -2");
}

TEST(GemmKernel, RejectsUnknownParameters) {
  EXPECT_EQ(error_of({{"sice", one}}), "gemm has no parameter \"sice\" (did you mean \"size\"?)");
  EXPECT_EQ(error_of({{"size", one}, {"colour", one}}).substr(0, 32), "gemm has no parameter \"colour\"");
}

TEST(GemmKernel, RejectsScalarsThatNoBoundCovers) {
  const auto alpha = [](const Value& v) { return error_of({{"size", one}, {"alpha", v}}); };
  EXPECT_EQ(alpha(1e30), "alpha must be between 1e-06 and 1000000 in size, not 1e+30");
  EXPECT_EQ(alpha(-1e-9), "alpha must be between 1e-06 and 1000000 in size, not -1e-09");
  EXPECT_EQ(alpha(std::string("x")), "alpha must be a number, not \"x\"");
  EXPECT_EQ(alpha(std::numeric_limits<double>::quiet_NaN()).substr(0, 20), "alpha must be betwee");
  EXPECT_EQ(alpha(int64_t{0}), "alpha must not be 0: no product would be left to time; the checks try 0");
  EXPECT_EQ(error_of({{"size", one}, {"beta", 1e30}}), "beta must be 0 or between 1e-06 and 1000000 in size, not 1e+30");
}

TEST(Gemm, CountsArithmeticAndBytes) {
  const auto p = make(Dtype::f32, edges(3, 5, 7));
  EXPECT_EQ(p->flops(), 2.0 * 3 * 5 * 7);
  EXPECT_EQ(p->bytes(), 4.0 * (3 * 7 + 7 * 5 + 3 * 5));
  EXPECT_EQ(p->reduction_length(), 7);
  const auto padded = make(Dtype::f64, with(edges(3, 5, 7), {{"lda", int64_t{70}}, {"beta", one}}));
  EXPECT_EQ(padded->bytes(), 8.0 * (3 * 7 + 7 * 5 + 2 * 3 * 5));
  EXPECT_EQ(make(Dtype::f32, {{"size", int64_t{8192}}})->flops(), 2.0 * 8192 * 8192 * 8192);
  EXPECT_EQ(p->least_flops(Algorithms::direct), p->flops());
  EXPECT_EQ(p->least_flops(Algorithms::transforming), p->flops() / 4);
}

TEST(Gemm, COfBeta0IsOutputOnly) {
  const auto roles = [](const Axes& more) {
    return make(Dtype::f32, with(edges(3, 5, 7), more))->output().role;
  };
  EXPECT_EQ(roles({}), Role::output);
  EXPECT_EQ(roles({{"beta", 0.5}}), Role::inout);
}

TEST(Gemm, BlobHoldsScalarsAsTheVariantSeesThem) {
  const auto blob = [](Dtype t) {
    const auto p = make(t, {{"size", int64_t{4}}, {"alpha", 0.1}});
    return *reinterpret_cast<const lab::GemmProblem*>(p->blob().data());
  };
  EXPECT_EQ(blob(Dtype::f32).alpha, 0x1.99999ap-4);  // 0.1f
  EXPECT_EQ(blob(Dtype::f64).alpha, 0.1);
  EXPECT_EQ(blob(Dtype::f32).lda, 4);
  EXPECT_EQ(make(Dtype::f32, {{"size", int64_t{4}}, {"alpha", 0.1}})->label(), "m=4 n=4 k=4 alpha=0.1");
}

TEST(Gemm, KnowsWhereIntegersAreExact) {
  const auto exact = [](Dtype t, int64_t k, double alpha, double beta, double u = 0, double u_in = 0) {
    return make(t, with(edges(64, 64, k), {{"alpha", alpha}, {"beta", beta}}))
        ->exact_possible(u == 0 ? unit_roundoff(t) : u, u_in);
  };
  for (const Dtype t : {Dtype::f32, Dtype::f64})
    for (const int64_t k : {1, 64, 8192, 65536}) {
      EXPECT_TRUE(exact(t, k, 1, 0)) << k;
      EXPECT_TRUE(exact(t, k, 1.5, 0.5)) << k;
      EXPECT_TRUE(exact(t, k, 0.25, -2)) << k;
    }
  EXPECT_FALSE(exact(Dtype::f32, 64, 0.1, 0));
  EXPECT_FALSE(exact(Dtype::f64, 64, 1, 1.0 / 3));
  EXPECT_FALSE(exact(Dtype::f32, int64_t{1} << 23, 1, 0)) << "even sums of +-1 may exceed 2^22";
  EXPECT_TRUE(exact(Dtype::f32, 64, 1, 0, 0x1p-24, 0x1p-11)) << "inputs are small enough for TF32";
  EXPECT_FALSE(exact(Dtype::f32, 1, 1, 0, 0x1p-24, 0x1p-8)) << "but not for bfloat16";
  EXPECT_FALSE(exact(Dtype::f32, 64, 1, 0, 0x1p-11)) << "half sums";
  EXPECT_TRUE(exact(Dtype::bf16, 256, 1, 0));
  EXPECT_FALSE(exact(Dtype::bf16, 257, 1, 0)) << "a result has 8 bits";
}

}  // namespace
}  // namespace harness::gemm
