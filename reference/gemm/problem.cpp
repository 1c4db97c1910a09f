#include "reference/gemm/problem.h"

#include <algorithm>
#include <cmath>

#include "reference/common/rounding.h"

namespace harness::gemm {

namespace {

/// Rounds with integer operations: GCC 12 (-O2 and up) removes the conversion to float and back where there
/// are two of them side by side.
double rounded(double x, Dtype dtype) { return arithmetic_of(dtype) == Dtype::f32 ? rounded_to(x, float_bits) : x; }

/// Most binary digits after the point of alpha and beta for which exact integer data are tried.
constexpr int most_fraction_bits = 20;

int fraction_bits_of(double x) {
  int bits = 0;
  while (bits <= most_fraction_bits && std::floor(std::ldexp(x, bits)) != std::ldexp(x, bits)) ++bits;
  return bits;
}

/// Largest multiple of the unit that a partial sum may reach. f32 allows 2^24, minus two bits for algorithms
/// that add inputs before they multiply. bf16 allows 2^8 in a result, and sums have more digits. f64 allows 2^53; the rest is reserved for project(), which adds
/// whole weighted lines exactly.
double largest_sum(Dtype dtype, const Shape& s) {
  if (dtype == Dtype::bf16) return 0x1p8;
  if (dtype == Dtype::f32) return 0x1p22;
  return 0x1p52 / (256.0 * static_cast<double>(std::max(s.m, s.n)));
}

}  // namespace

Gemm::Gemm(Dtype dtype, const Shape& shape) : Problem(dtype), given_(shape), shape_(shape) {
  shape_.alpha = rounded(shape.alpha, dtype);
  shape_.beta = rounded(shape.beta, dtype);
  const Role c = shape_.beta == 0 ? Role::output : Role::inout;
  buffers_ = {{"A", Role::input, shape.m, shape.k, shape.lda},
              {"B", Role::input, shape.k, shape.n, shape.ldb},
              {"C", c, shape.m, shape.n, shape.ldc}};

  // (|alpha| k + |beta|) L^2 bounds every partial sum for L >= 1, whether alpha is applied early or late.
  fraction_bits_ = std::max(fraction_bits_of(shape_.alpha), fraction_bits_of(shape_.beta));
  const double terms =
      std::max(std::abs(shape_.alpha), 1.0) * static_cast<double>(shape_.k) + std::abs(shape_.beta);
  const double squared = largest_sum(dtype, shape_) / std::ldexp(terms, fraction_bits_);
  largest_integer_ = std::max<int64_t>(1, static_cast<int64_t>(std::sqrt(squared)));
}

double Gemm::largest_result() const {
  const double l = static_cast<double>(largest_integer_);
  return std::abs(shape_.alpha) * static_cast<double>(shape_.k) * l * l + std::abs(shape_.beta) * l;
}

bool Gemm::exact_possible(double u, double u_in) const {
  const double l = static_cast<double>(largest_integer_);
  const double terms =
      std::max(std::abs(shape_.alpha), 1.0) * static_cast<double>(shape_.k) + std::abs(shape_.beta);
  return std::ldexp(terms * l * l, fraction_bits_) <= std::min(largest_sum(dtype(), shape_), 1 / u) &&
         fraction_bits_ <= most_fraction_bits && l * u_in <= 1;
}

std::string Gemm::label() const {
  const Shape& s = given_;
  Axes shown = {{"m", s.m}, {"n", s.n}, {"k", s.k}};
  if (s.lda != s.k) shown.emplace_back("lda", s.lda);
  if (s.ldb != s.n) shown.emplace_back("ldb", s.ldb);
  if (s.ldc != s.n) shown.emplace_back("ldc", s.ldc);
  if (s.alpha != 1) shown.emplace_back("alpha", s.alpha);
  if (s.beta != 0) shown.emplace_back("beta", s.beta);
  return to_string(shown);
}

Axes Gemm::parameters() const {
  const Shape& s = given_;
  Axes all;
  if (s.m == s.n && s.n == s.k) all.emplace_back("size", s.m);
  for (const auto& [name, value] :
       {std::pair{"m", s.m}, {"n", s.n}, {"k", s.k}, {"lda", s.lda}, {"ldb", s.ldb}, {"ldc", s.ldc}})
    all.emplace_back(name, value);
  all.emplace_back("alpha", s.alpha);
  all.emplace_back("beta", s.beta);
  return all;
}

// Without the at most 3 m n operations for alpha and beta: published GFLOP/s figures do not count them
// either.
double Gemm::flops() const {
  return 2.0 * static_cast<double>(shape_.m) * static_cast<double>(shape_.n) * static_cast<double>(shape_.k);
}

// Strassen's algorithm needs 7 of 8 products at each level; ten levels are more than anybody uses.
double Gemm::least_flops(Algorithms algorithms) const {
  return algorithms == Algorithms::direct ? flops() : flops() / 4;
}

double Gemm::bytes() const {
  double elements = 0;
  for (const BufferSpec& b : buffers_) {
    const int passes = b.role == Role::inout ? 2 : 1;
    elements += passes * static_cast<double>(b.rows) * static_cast<double>(b.cols);
  }
  return elements * static_cast<double>(size_of(dtype()));
}

}  // namespace harness::gemm
