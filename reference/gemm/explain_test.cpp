#include <gtest/gtest.h>

#include <cmath>

#include "reference/common/rounding.h"
#include "reference/gemm/run_for_test.h"

namespace harness::gemm {
namespace {

/// Fills C by `cell(a, b, old, i, j)` over the shape's true indices.
struct Data {
  Matrix<const double> a, b, old;
  double dot(int64_t i, int64_t j, int64_t first, int64_t last) const {
    double sum = 0;
    for (int64_t p = first; p < last; ++p) sum += a.at(i, p) * b.at(p, j);
    return sum;
  }
};

template <class F>
std::string explain(const Axes& parameters, F cell, Fill fill = Fill::reals) {
  GemmRun run(Dtype::f64, parameters, fill);
  const Data data{matrix<double>(*run.problem, run.inputs, 0), matrix<double>(*run.problem, run.inputs, 1),
                  matrix<double>(*run.problem, run.inputs, 2)};
  const auto c = run.of<double>(2);
  for (int64_t i = 0; i < c.rows; ++i)
    for (int64_t j = 0; j < c.cols; ++j) c.at(i, j) = cell(data, i, j);
  return run.problem->explain(run.inputs, run.buffers.back()).value_or("");
}

const Axes square = {{"size", int64_t{40}}};
const Axes scaled = {{"size", int64_t{40}}, {"alpha", 1.5}, {"beta", 0.5}};

TEST(Explain, SwappedIndices) {
  EXPECT_EQ(explain(square,
                    [](const Data& d, int64_t i, int64_t j) {
                      double sum = 0;
                      for (int64_t p = 0; p < 40; ++p) sum += d.a.at(i, p) * d.b.at(j, p);
                      return sum;
                    }),
            "every cell equals A * transpose(B): are the indices of B swapped?");
  EXPECT_EQ(explain(square,
                    [](const Data& d, int64_t i, int64_t j) {
                      double sum = 0;
                      for (int64_t p = 0; p < 40; ++p) sum += d.a.at(p, i) * d.b.at(p, j);
                      return sum;
                    }),
            "every cell equals transpose(A) * B: are the indices of A swapped?");
  EXPECT_EQ(explain(scaled, [](const Data& d, int64_t i,
                               int64_t j) { return 1.5 * d.dot(j, i, 0, 40) + 0.5 * d.old.at(i, j); }),
            "every cell equals the transpose of A * B: are the indices of C swapped?");
  EXPECT_EQ(explain(square,
                    [](const Data& d, int64_t i, int64_t j) {
                      double sum = 0;
                      for (int64_t p = 0; p < 40; ++p) sum += d.b.at(i, p) * d.a.at(p, j);
                      return sum;
                    }),
            "every cell equals B * A: does a column-major library get row-major matrices in the order A, B?");
}

TEST(Explain, Scalars) {
  const auto with_scalars = [](double alpha, double beta) {
    return explain(scaled, [=](const Data& d, int64_t i, int64_t j) {
      return alpha * d.dot(i, j, 0, 40) + beta * d.old.at(i, j);
    });
  };
  EXPECT_EQ(with_scalars(3, 0.5), "every cell equals 2 * A * B instead of A * B: is the sum added up twice?");
  EXPECT_EQ(with_scalars(1, 0.5), "every cell is as if alpha were 1: is alpha ignored?");
  EXPECT_EQ(with_scalars(1.5, 0), "every cell is as if beta were 0: is beta ignored?");
  EXPECT_EQ(with_scalars(1.5, 1), "every cell is as if beta were 1: is C added without beta, or twice?");
  EXPECT_EQ(with_scalars(1.5, -0.5), "every cell is as if beta had the opposite sign: is C subtracted?");
  EXPECT_EQ(with_scalars(-1.5, 0.5), "every cell is as if alpha had the opposite sign: is A * B subtracted?");
  EXPECT_EQ(with_scalars(1, 0), "every cell is as if alpha were 1 and beta 0: are both ignored?");
  EXPECT_EQ(with_scalars(1.5, 0.75), "every cell equals alpha * (A * B + beta * C): is alpha applied to C as well?");
}

TEST(Explain, MissingSteps) {
  const auto steps = [](int64_t first, int64_t last, Fill fill = Fill::reals) {
    return explain(
        edges(33, 29, 41), [=](const Data& d, int64_t i, int64_t j) { return d.dot(i, j, first, last); }, fill);
  };
  EXPECT_EQ(steps(0, 40), "every cell lacks the last step of 41: does the k loop end too early?");
  EXPECT_EQ(steps(0, 32), "every cell lacks the last 9 steps of 41: does the k loop end too early?");
  EXPECT_EQ(steps(1, 41),
            "every cell lacks the first step of 41: does the k loop begin too late, or does a later step overwrite the sum?");
  EXPECT_EQ(steps(40, 41, Fill::integers),
            "every cell lacks the first 40 steps of 41: does the k loop begin too late, or does a later step overwrite the sum?");
}

TEST(Explain, OneMissingStepOfMany) {
  GemmRun run(Dtype::f32, edges(20, 20, 8192), Fill::reals);
  run.compute(wrong(Dtype::f32, "last_k_dropped"));
  EXPECT_EQ(run.problem->explain(run.inputs, run.buffers.back()),
            "every cell lacks the last step of 8192: does the k loop end too early?");
}

TEST(Explain, Strides) {
  const Axes padded = with(edges(33, 29, 41), {{"lda", int64_t{44}}, {"ldb", int64_t{30}}, {"ldc", int64_t{32}}});
  EXPECT_EQ(explain(with(edges(33, 29, 41), {{"lda", int64_t{44}}}),
                    [](const Data& d, int64_t i, int64_t j) {
                      double sum = 0;
                      for (int64_t p = 0; p < 41; ++p) sum += d.a.data[i * 41 + p] * d.b.at(p, j);
                      return sum;
                    }),
            "every cell is as if rows of A were k elements apart: is lda ignored?");
  GemmRun run(Dtype::f64, padded, Fill::reals);
  const Data d{matrix<double>(*run.problem, run.inputs, 0), matrix<double>(*run.problem, run.inputs, 1), {}};
  for (int64_t i = 0; i < 33; ++i)
    for (int64_t j = 0; j < 29; ++j) run.of<double>(2).data[i * 29 + j] = d.dot(i, j, 0, 41);
  EXPECT_EQ(run.problem->explain(run.inputs, run.buffers.back()),
            "every cell is as if rows of C were n elements apart: is ldc ignored?");
}

TEST(Explain, ShortFormats) {
  const auto of_kernel = [](Dtype t, const char* name) {
    GemmRun run(t, edges(33, 29, 41), Fill::reals);
    run.compute(wrong(t, name));
    return run.problem->explain(run.inputs, run.buffers.back()).value_or("");
  };
  EXPECT_EQ(of_kernel(Dtype::f32, "tf32_inputs"),
            "every cell is as if A and B had 11 significant bits: are they rounded to TF32 or half?");
  EXPECT_EQ(of_kernel(Dtype::f32, "bfloat16_inputs"),
            "every cell is as if A and B had 8 significant bits: are they rounded to bfloat16?");
  EXPECT_EQ(of_kernel(Dtype::f64, "float_inputs"),
            "every cell is as if A and B had 24 significant bits: are they rounded to float?");
  EXPECT_EQ(explain(square,
                    [](const Data& d, int64_t i, int64_t j) {
                      const auto cut = [](double x) { return rounded_to(x, float_bits, Rounding::toward_zero); };
                      double sum = 0;
                      for (int64_t p = 0; p < 40; ++p) sum += cut(d.a.at(i, p)) * cut(d.b.at(p, j));
                      return sum;
                    }),
            "every cell is as if A and B were cut off to 24 significant bits: do they become float without rounding?");
}

TEST(Explain, OtherScalars) {
  const auto with = [](double alpha, double beta) {
    return explain(scaled, [=](const Data& d, int64_t i, int64_t j) { return alpha * d.dot(i, j, 0, 40) + beta * d.old.at(i, j); });
  };
  EXPECT_EQ(with(1.5, 0.25), "every cell is as if beta were 0.25 instead of 0.5: is C multiplied by something else?");
  EXPECT_EQ(with(2.25, 0.5), "every cell is as if alpha were 2.25 instead of 1.5: is A * B multiplied by something else?");
}

TEST(Explain, NoOtherScalarsOfASingleCell) {
  const Axes one = {{"size", int64_t{1}}, {"alpha", 1.5}, {"beta", 0.5}};
  EXPECT_EQ(explain(one, [](const Data& d, int64_t i, int64_t j) { return 1.5 * d.dot(i, j, 0, 1) + 0.3 * d.old.at(i, j); }), "");
}

/// Numbers of 12 significant bits are ties of TF32: half of them go to another neighbour if ties do not go to even.
TEST(Explain, ShortFormatsWhoseTiesGoAwayFromZero) {
  GemmRun run(Dtype::f32, edges(33, 29, 41), Fill::reals);
  const Matrix<float> a = run.of<float>(0), b = run.of<float>(1), c = run.of<float>(2);
  const auto shorten = [](float& x, int bits) {
    x = static_cast<float>(rounded_to(static_cast<double>(x), bits, Rounding::nearest_away));
  };
  for (int64_t p = 0; p < 41; ++p) {
    for (int64_t i = 0; i < 33; ++i) shorten(a.at(i, p), 12);
    for (int64_t j = 0; j < 29; ++j) shorten(b.at(p, j), 12);
  }
  for (int64_t i = 0; i < 33; ++i)
    for (int64_t j = 0; j < 29; ++j) {
      double sum = 0;
      for (int64_t p = 0; p < 41; ++p) {
        float x = a.at(i, p), y = b.at(p, j);
        shorten(x, tf32_bits), shorten(y, tf32_bits);
        sum += static_cast<double>(x) * static_cast<double>(y);
      }
      c.at(i, j) = static_cast<float>(sum);
    }
  EXPECT_EQ(run.problem->explain(run.inputs, run.buffers.back()),
            "every cell is as if A and B had 11 significant bits: are they rounded to TF32 or half?");
}

TEST(Explain, WorksOnIntegersAndLargeProblems) {
  EXPECT_EQ(explain(
                scaled, [](const Data& d, int64_t i, int64_t j) { return d.dot(i, j, 0, 40) + 0.5 * d.old.at(i, j); },
                Fill::integers),
            "every cell is as if alpha were 1: is alpha ignored?");
  EXPECT_EQ(explain(edges(300, 310, 20), [](const Data& d, int64_t i, int64_t j) { return 2 * d.dot(i, j, 0, 20); }),
            "every cell equals 2 * A * B instead of A * B: is the sum added up twice?");
}

TEST(Explain, IsSilentWithoutAMatch) {
  EXPECT_EQ(explain(square, [](const Data& d, int64_t i, int64_t j) { return d.dot(i, j, 0, 40); }), "")
      << "a right output is no mistake";
  EXPECT_EQ(explain(square, [](const Data&, int64_t i, int64_t j) { return static_cast<double>(i - j); }), "");
  EXPECT_EQ(explain(square, [](const Data&, int64_t, int64_t) { return std::nan(""); }), "");
}

}  // namespace
}  // namespace harness::gemm
