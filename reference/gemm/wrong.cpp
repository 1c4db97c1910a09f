// Wrong kernels with typical mistakes. The check must reject every one.
#include <algorithm>
#include <cmath>
#include <limits>

#include "reference/common/rounding.h"
#include "reference/gemm/problem.h"

namespace harness::gemm {

namespace {

template <class T>
using G = lab::Gemm<T>;
using lab::Sum;

/// Tile size of the kernels below that treat tile edges wrongly.
constexpr int64_t tile = 4;

template <class T>
Sum<T> dot(const G<T>& g, int64_t i, int64_t j, int64_t first, int64_t last) {
  Sum<T> sum = 0;
  for (int64_t p = first; p < last; ++p) sum += g.a[i * g.lda + p] * g.b[p * g.ldb + j];
  return sum;
}

template <class T>
Sum<T> dot(const G<T>& g, int64_t i, int64_t j) {
  return dot(g, i, j, 0, g.k);
}

template <class T>
void store(const G<T>& g, int64_t i, int64_t j, Sum<T> sum) {
  T& c = g.c[i * g.ldc + j];
  c = g.beta == 0 ? g.alpha * sum : g.alpha * sum + g.beta * c;
}

template <class T, class F>
void each_cell(const G<T>& g, F f) {
  for (int64_t i = 0; i < g.m; ++i)
    for (int64_t j = 0; j < g.n; ++j) f(i, j);
}

/// A kernel that is right except for its dot product `f`.
template <class T, class F>
void with_dot(const G<T>& g, F f) {
  each_cell(g, [&](int64_t i, int64_t j) { store(g, i, j, f(i, j)); });
}

/// `step` computes the new sum from (a, b, sum so far).
template <class T, class F>
void with_steps(const G<T>& g, F step) {
  with_dot(g, [&](int64_t i, int64_t j) {
    double sum = 0;
    for (int64_t p = 0; p < g.k; ++p) sum = step(g.a[i * g.lda + p], g.b[p * g.ldb + j], sum);
    return static_cast<Sum<T>>(sum);
  });
}

/// The start of the last tile. Everything from there on is left out, a whole last tile too.
int64_t without_tail(int64_t size) { return (size - 1) / tile * tile; }

template <class T>
void last_k_dropped(const G<T>& g) {
  with_dot(g, [&](int64_t i, int64_t j) { return dot(g, i, j, 0, g.k - 1); });
}

template <class T>
void k_tail_dropped(const G<T>& g) {
  with_dot(g, [&](int64_t i, int64_t j) { return dot(g, i, j, 0, g.k / tile * tile); });
}

template <class T>
void b_index_swapped(const G<T>& g) {
  with_dot(g, [&](int64_t i, int64_t j) {
    Sum<T> sum = 0;  // modulo, so that a rectangular B is not read past its end
    for (int64_t p = 0; p < g.k; ++p) sum += g.a[i * g.lda + p] * g.b[(j % g.k) * g.ldb + p % g.n];
    return sum;
  });
}

template <class T>
void c_transposed(const G<T>& g) {
  each_cell(g, [&](int64_t i, int64_t j) {
    T& c = g.c[(j % g.m) * g.ldc + i % g.n];
    c = g.beta == 0 ? g.alpha * dot(g, i, j) : g.alpha * dot(g, i, j) + g.beta * c;
  });
}

template <class T>
void row_tail_not_written(const G<T>& g) {
  each_cell(g, [&](int64_t i, int64_t j) {
    if (i < without_tail(g.m)) store(g, i, j, dot(g, i, j));
  });
}

template <class T>
void column_tail_not_written(const G<T>& g) {
  each_cell(g, [&](int64_t i, int64_t j) {
    if (j < without_tail(g.n)) store(g, i, j, dot(g, i, j));
  });
}

template <class T>
void one_cell_zeroed(const G<T>& g) {
  with_dot(g, [&](int64_t i, int64_t j) { return dot(g, i, j); });
  g.c[g.m / 2 * g.ldc + g.n / 2] = 0;
}

/// The effect of a missing barrier: some threads still see the tile of A of the previous step.
template <class T>
void stale_tile(const G<T>& g) {
  with_dot(g, [&](int64_t i, int64_t j) {
    Sum<T> sum = 0;
    for (int64_t p = 0; p < g.k; ++p) {
      const bool late = p >= tile && (i + j) % 7 == 0;
      sum += g.a[i * g.lda + (late ? p - tile : p)] * g.b[p * g.ldb + j];
    }
    return sum;
  });
}

template <class T>
void leading_dimension_ignored(const G<T>& g) {
  G<T> packed = g;
  packed.lda = g.k;
  packed.ldb = g.n;
  with_dot(packed, [&](int64_t i, int64_t j) { return dot(packed, i, j); });
}

template <class T>
void padding_read(const G<T>& g) {
  with_dot(g, [&](int64_t i, int64_t j) {  // reads whole tiles of k, as if rows were that long
    const int64_t last = std::min(g.lda, (g.k + tile - 1) / tile * tile);
    Sum<T> sum = dot(g, i, j);
    if (i + 1 < g.m)
      for (int64_t p = g.k; p < last; ++p) sum += g.a[i * g.lda + p] * Sum<T>(0);
    return sum;
  });
}

template <class T>
void accumulated_twice(const G<T>& g) {
  with_dot(g, [&](int64_t i, int64_t j) { return dot(g, i, j) + dot(g, i, j); });
}

template <class T>
void alpha_ignored(const G<T>& g) {
  G<T> other = g;
  other.alpha = 1;
  with_dot(other, [&](int64_t i, int64_t j) { return dot(g, i, j); });
}

template <class T>
void beta_ignored(const G<T>& g) {
  G<T> other = g;
  other.beta = 0;
  with_dot(other, [&](int64_t i, int64_t j) { return dot(g, i, j); });
}

template <class T>
void c_read_with_beta_0(const G<T>& g) {
  each_cell(g, [&](int64_t i, int64_t j) {
    T& c = g.c[i * g.ldc + j];
    c = g.alpha * dot(g, i, j) + g.beta * c;
  });
}

template <class T>
void nothing_written(const G<T>&) {}

template <class T>
void all_zeros(const G<T>& g) {
  each_cell(g, [&](int64_t i, int64_t j) { g.c[i * g.ldc + j] = 0; });
}

template <class T>
void all_nan(const G<T>& g) {
  each_cell(g, [&](int64_t i, int64_t j) { g.c[i * g.ldc + j] = std::numeric_limits<Sum<T>>::quiet_NaN(); });
}

template <class T, int bits>
void rounded_inputs(const G<T>& g) {
  with_steps(g, [](double a, double b, double sum) {
    return static_cast<double>(static_cast<Sum<T>>(sum + rounded_to(a, bits) * rounded_to(b, bits)));
  });
}

template <class T, int bits>
void rounded_sums(const G<T>& g) {
  with_steps(g, [](double a, double b, double sum) { return rounded_to(sum + a * b, bits); });
}

/// Inputs are whole numbers of 12 bits and a sign, in a unit for each row of A and in one for all of B.
template <class T>
void fixed_point(const G<T>& g) {
  const auto unit = [](const T* x, int64_t rows, int64_t cols, int64_t ld) {
    double largest = 0;
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < cols; ++j) largest = std::max(largest, std::abs(static_cast<double>(x[i * ld + j])));
    return std::ldexp(1, std::ilogb(largest) - 11);
  };
  const double of_b = unit(g.b, g.k, g.n, g.ldb);
  with_dot(g, [&](int64_t i, int64_t j) {
    const double of_a = unit(g.a + i * g.lda, 1, g.k, g.lda);
    double sum = 0;
    for (int64_t p = 0; p < g.k; ++p) sum += std::rint(g.a[i * g.lda + p] / of_a) * std::rint(g.b[p * g.ldb + j] / of_b);
    return static_cast<Sum<T>>(sum * of_a * of_b);
  });
}

template <class T>
WrongKernel kernel(std::string name, std::string mistake, void (*run)(const G<T>&)) {
  return {std::move(name), std::move(mistake), [run](const Problem& problem, const HostBuffers& buffers) {
            void* const raw[] = {buffers[0], buffers[1], buffers[2]};
            run(lab::unpack_gemm<T>(problem.blob().data(), raw, nullptr));
          }};
}

template <class T>
std::vector<WrongKernel> list() {
  std::vector<WrongKernel> all = {
      kernel<T>("last_k_dropped", "the last step of the k loop is missing", last_k_dropped),
      kernel<T>("k_tail_dropped", "the k loop ends at the last whole tile", k_tail_dropped),
      kernel<T>("b_index_swapped", "B is read as B[j][p]", b_index_swapped),
      kernel<T>("c_transposed", "C is written as C[j][i]", c_transposed),
      kernel<T>("row_tail_not_written", "the last, incomplete tile of rows is not written",
                row_tail_not_written),
      kernel<T>("column_tail_not_written", "the last, incomplete tile of columns is not written",
                column_tail_not_written),
      kernel<T>("one_cell_zeroed", "one cell in the middle is 0", one_cell_zeroed),
      kernel<T>("stale_tile", "a barrier is missing: some threads use the previous tile of A", stale_tile),
      kernel<T>("leading_dimension_ignored", "rows of A and B are taken to be packed",
                leading_dimension_ignored),
      kernel<T>("padding_read", "what lies between k and lda is read, and multiplied by 0", padding_read),
      kernel<T>("accumulated_twice", "the sum is added up twice", accumulated_twice),
      kernel<T>("alpha_ignored", "alpha is taken to be 1", alpha_ignored),
      kernel<T>("beta_ignored", "beta is taken to be 0", beta_ignored),
      kernel<T>("c_read_with_beta_0", "C is read, and multiplied by beta = 0", c_read_with_beta_0),
      kernel<T>("nothing_written", "C is left as it was", nothing_written),
      kernel<T>("all_zeros", "every cell is 0", all_zeros),
      kernel<T>("all_nan", "every cell is NaN", all_nan),
  };
  if constexpr (sizeof(T) == 2) {
    all.push_back(
        kernel<T>("bfloat16_accumulation", "sums are kept in bfloat16", rounded_sums<T, bfloat16_bits>));
    all.push_back(kernel<T>("fixed_point", "inputs become whole numbers of 13 bits", fixed_point));
  } else if constexpr (sizeof(T) == 4) {
    all.push_back(kernel<T>("tf32_inputs", "inputs are rounded to TF32", rounded_inputs<T, tf32_bits>));
    all.push_back(
        kernel<T>("bfloat16_inputs", "inputs are rounded to bfloat16", rounded_inputs<T, bfloat16_bits>));
    all.push_back(
        kernel<T>("half_accumulation", "sums are kept in half precision", rounded_sums<T, half_bits>));
  } else if constexpr (sizeof(T) == 8) {
    all.push_back(kernel<T>("float_inputs", "inputs are rounded to float", rounded_inputs<T, float_bits>));
    all.push_back(kernel<T>("float_accumulation", "sums are kept in float", rounded_sums<T, float_bits>));
  }
  return all;
}

}  // namespace

std::vector<WrongKernel> wrong_kernels(Dtype dtype) {
  return with_type(dtype, [](auto type) { return list<decltype(type)>(); });
}

}  // namespace harness::gemm
