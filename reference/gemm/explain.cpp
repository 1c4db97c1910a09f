// Names a mistake: it computes the output that each known mistake would give and compares it with the wrong
// output. "Equals A * transpose(B)" helps a student more than a list of wrong cells.
#include <fmt/format.h>

#include <cmath>

#include "reference/common/mistakes.h"
#include "reference/common/rounding.h"
#include "reference/gemm/problem.h"

namespace harness::gemm {

namespace {

template <class T>
class Explainer {
 public:
  Explainer(const Gemm& g, const ConstHostBuffers& inputs, const std::byte* got)
      : s_(g.shape()),
        a_(matrix<T>(g, inputs, 0)),
        b_(matrix<T>(g, inputs, 1)),
        old_(matrix<T>(g, inputs, 2)),
        compared_(g, inputs, got) {}

  std::optional<std::string> sentence() const {
    for (const std::vector<Mistake>& group : {indices(), scalars(), strides(), formats(), other_scalars(), missing_steps()})
      for (const Mistake& mistake : group)
        if (compared_.fits(mistake)) return fmt::format("every cell {}", mistake.sentence);
    return std::nullopt;
  }

 private:
  /// Sum of term(p) for p in [first, last).
  template <class Term>
  static Predicted sum(int64_t first, int64_t last, Term term) {
    Predicted s;
    for (int64_t p = first; p < last; ++p) {
      const double x = term(p);
      s.value += x;
      s.scale += std::abs(x);
    }
    return s;
  }

  Predicted product(int64_t i, int64_t j, int64_t first, int64_t last) const {
    return sum(first, last, [&](int64_t p) { return A(i, p) * B(p, j); });
  }
  Predicted product(int64_t i, int64_t j) const { return product(i, j, 0, s_.k); }

  Predicted finish(Predicted p, double alpha, double beta, double c) const {
    if (beta == 0) return {alpha * p.value, std::abs(alpha) * p.scale};
    return {alpha * p.value + beta * c, std::abs(alpha) * p.scale + std::abs(beta * c)};
  }
  Predicted finish(Predicted p, int64_t i, int64_t j) const { return finish(p, s_.alpha, s_.beta, C(i, j)); }

  double A(int64_t i, int64_t p) const { return static_cast<double>(a_.at(i, p)); }
  double B(int64_t p, int64_t j) const { return static_cast<double>(b_.at(p, j)); }
  double C(int64_t i, int64_t j) const { return static_cast<double>(old_.at(i, j)); }

  std::vector<Mistake> indices() const {
    std::vector<Mistake> all;
    const int64_t k = s_.k;
    if (s_.n == k)
      all.push_back({"equals A * transpose(B): are the indices of B swapped?", [=, this](int64_t i, int64_t j) {
                       return finish(sum(0, k, [&](int64_t p) { return A(i, p) * B(j, p); }), i, j);
                     }});
    if (s_.m == k)
      all.push_back({"equals transpose(A) * B: are the indices of A swapped?", [=, this](int64_t i, int64_t j) {
                       return finish(sum(0, k, [&](int64_t p) { return A(p, i) * B(p, j); }), i, j);
                     }});
    if (s_.m == s_.n)
      all.push_back({"equals the transpose of A * B: are the indices of C swapped?",
                     [=, this](int64_t i, int64_t j) { return finish(product(j, i), i, j); }});
    if (s_.m == s_.n && s_.n == k)
      all.push_back({"equals B * A: does a column-major library get row-major matrices in the order A, B?",
                     [=, this](int64_t i, int64_t j) {
                       return finish(sum(0, k, [&](int64_t p) { return B(i, p) * A(p, j); }), i, j);
                     }});
    return all;
  }

  std::vector<Mistake> scalars() const {
    std::vector<Mistake> all;
    const auto with = [&](std::string sentence, double alpha, double beta) {
      all.push_back({std::move(sentence),
                     [=, this](int64_t i, int64_t j) { return finish(product(i, j), alpha, beta, C(i, j)); }});
    };
    with("equals 2 * A * B instead of A * B: is the sum added up twice?", 2 * s_.alpha, s_.beta);
    if (s_.alpha != 1) with("is as if alpha were 1: is alpha ignored?", 1, s_.beta);
    if (s_.beta == 0) with("is as if beta were 1: is C added, though beta is 0?", s_.alpha, 1);
    if (s_.beta != 0) with("is as if beta were 0: is beta ignored?", s_.alpha, 0);
    if (s_.beta == 0.5)
      with("is as if beta were 1: is C added without beta, or twice?", s_.alpha, 1);
    else if (s_.beta != 0 && s_.beta != 1)
      with("is as if beta were 1: is C added without beta?", s_.alpha, 1);
    if (s_.beta != 0 && s_.beta != 0.5) with("is as if beta were doubled: is C added twice?", s_.alpha, 2 * s_.beta);
    if (s_.beta != 0) {
      with("is as if beta had the opposite sign: is C subtracted?", s_.alpha, -s_.beta);
      with("is as if alpha had the opposite sign: is A * B subtracted?", -s_.alpha, s_.beta);
    }
    if constexpr (sizeof(T) == 8) {
      const double alpha = static_cast<float>(s_.alpha), beta = static_cast<float>(s_.beta);
      if (alpha != s_.alpha) with("is as if alpha had 24 significant bits: is it kept in a float?", alpha, s_.beta);
      if (beta != s_.beta) with("is as if beta had 24 significant bits: is it kept in a float?", s_.alpha, beta);
      if (alpha != s_.alpha && beta != s_.beta)
        with("is as if alpha and beta had 24 significant bits: are they kept in a float?", alpha, beta);
    }
    if (s_.beta != 0 && s_.alpha != 1) {
      with("is as if alpha were 1 and beta 0: are both ignored?", 1, 0);
      with("equals alpha * (A * B + beta * C): is alpha applied to C as well?", s_.alpha, s_.alpha * s_.beta);
    }
    return all;
  }

  /// The cell with the largest error tells which other number would explain it; `fits` then tests the other cells.
  std::vector<Mistake> other_scalars() const {
    if (s_.beta == 0 || s_.m * s_.n == 1) return {};  // some number explains any single cell
    const auto [i, j] = compared_.worst();
    const double got = compared_.worst_got(), sum = product(i, j).value, old = C(i, j);
    const double alpha = (got - s_.beta * old) / sum, beta = (got - s_.alpha * sum) / old;
    const auto with = [this](std::string sentence, double a, double b) {
      return Mistake{std::move(sentence),
                     [=, this](int64_t r, int64_t q) { return finish(product(r, q), a, b, C(r, q)); }};
    };
    return {with(fmt::format("is as if beta were {:.9g} instead of {:g}: is C multiplied by something else?", beta, s_.beta),
                 s_.alpha, beta),
            with(fmt::format("is as if alpha were {:.9g} instead of {:g}: is A * B multiplied by something else?", alpha, s_.alpha),
                 alpha, s_.beta)};
  }

  std::vector<Mistake> strides() const {
    std::vector<Mistake> all;
    const auto reads = [&](std::string sentence, int64_t lda, int64_t ldb) {
      all.push_back({std::move(sentence), [=, this](int64_t i, int64_t j) {
                       return finish(sum(0, s_.k,
                                         [&](int64_t p) {
                                           return static_cast<double>(a_.data[i * lda + p]) *
                                                  static_cast<double>(b_.data[p * ldb + j]);
                                         }),
                                     i, j);
                     }});
    };
    const bool a = s_.lda != s_.k, b = s_.ldb != s_.n;
    if (a) reads("is as if rows of A were k elements apart: is lda ignored?", s_.k, s_.ldb);
    if (b) reads("is as if rows of B were n elements apart: is ldb ignored?", s_.lda, s_.n);
    if (a && b) reads("is as if A and B had no padding: are lda and ldb ignored?", s_.k, s_.n);
    if (s_.ldc != s_.n)
      all.push_back({"is as if rows of C were n elements apart: is ldc ignored?", [this](int64_t i, int64_t j) {
                       const int64_t offset = i * s_.ldc + j;
                       const auto old = static_cast<double>(old_.data[offset]);
                       if (offset >= s_.m * s_.n) return Predicted{old, std::abs(old)};
                       return finish(product(offset / s_.n, offset % s_.n), s_.alpha, s_.beta, old);
                     }});
    return all;
  }

  std::vector<Mistake> formats() const {
    std::vector<Mistake> all;
    const auto shorter = [&](int bits, const char* format) {
      const auto add = [&](std::string sentence, Rounding rounding) {
        const auto at = [=](double x) { return rounded_to(x, bits, rounding); };
        all.push_back({std::move(sentence), [=, this](int64_t i, int64_t j) {
                         return finish(sum(0, s_.k, [&](int64_t p) { return at(A(i, p)) * at(B(p, j)); }), i, j);
                       }});
      };
      const std::string nearest =
          fmt::format("is as if A and B had {} significant bits: are they rounded to {}?", bits, format);
      add(nearest, Rounding::nearest_even);
      add(nearest, Rounding::nearest_away);
      add(fmt::format("is as if A and B were cut off to {} significant bits: do they become {} without rounding?", bits, format),
          Rounding::toward_zero);
    };
    if constexpr (sizeof(T) == 4) {
      shorter(tf32_bits, "TF32 or half");
      shorter(bfloat16_bits, "bfloat16");
    } else if constexpr (sizeof(T) == 8) {
      shorter(float_bits, "float");
    }
    return all;
  }

  /// One wrong cell tells how many steps of k are missing at either end; `fits` then tests the other cells.
  std::vector<Mistake> missing_steps() const {
    constexpr size_t most = 8;
    std::vector<Mistake> all;
    const auto [i, j] = compared_.worst();
    // Try few missing steps first: they are likelier, and for large k some long partial sum is always close.
    Predicted head = product(i, j), tail = head;
    const auto drop = [](Predicted& from, double x) {
      from.value -= x;
      from.scale -= std::abs(x);
    };
    for (int64_t missing = 1; missing < s_.k && all.size() < most; ++missing) {
      drop(head, A(i, s_.k - missing) * B(s_.k - missing, j));
      drop(tail, A(i, missing - 1) * B(missing - 1, j));
      const int64_t kept = s_.k - missing;
      const std::string step = missing == 1 ? "step" : fmt::format("{} steps", missing);
      if (compared_.worst_is(finish(head, i, j)))
        all.push_back({fmt::format("lacks the last {} of {}: does the k loop end too early?", step, s_.k),
                       [=, this](int64_t r, int64_t q) { return finish(product(r, q, 0, kept), r, q); }});
      if (compared_.worst_is(finish(tail, i, j)))
        all.push_back({fmt::format("lacks the first {} of {}: does the k loop begin too late, or does a later step overwrite the sum?",
                                   step, s_.k),
                       [=, this](int64_t r, int64_t q) { return finish(product(r, q, missing, s_.k), r, q); }});
    }
    return all;
  }

  Shape s_;
  Matrix<const T> a_, b_, old_;
  Comparison compared_;
};

}  // namespace

std::optional<std::string> Gemm::explain(const ConstHostBuffers& inputs, const std::byte* got) const {
  return with_type(dtype(), [&](auto type) { return Explainer<decltype(type)>(*this, inputs, got).sentence(); });
}

}  // namespace harness::gemm
