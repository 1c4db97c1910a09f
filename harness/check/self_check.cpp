#include <fmt/format.h>

#include <algorithm>

#include "harness/base/random.h"
#include "harness/base/text.h"
#include "harness/check/check.h"
#include "harness/check/tolerance.h"

namespace harness {

namespace {

/// A problem with data, and an output to compute into.
class Trial {
 public:
  Trial(const Problem& problem, Fill fill, uint64_t seed) : problem_(problem), fill_(fill), seed_(seed) {
    HostBuffers drawn;
    for (const BufferSpec& b : problem.buffers()) {
      memory_.emplace_back(static_cast<size_t>((b.bytes(problem.dtype()) + 7) / 8));
      drawn.push_back(reinterpret_cast<std::byte*>(memory_.back().data()));
    }
    problem.fill(fill, seed, drawn);
    inputs_.assign(drawn.begin(), drawn.end());
    output_ = memory_.back();
    buffers_ = drawn;
    buffers_.back() = reinterpret_cast<std::byte*>(output_.data());
  }

  template <class Run>
  void compute(Run run) {
    output_ = memory_.back();  // as the generator filled it
    run(problem_, buffers_);
  }

  /// The results of both methods for what `run` computes.
  template <class Run>
  std::vector<CheckResult> check_output(Run run) {
    compute(run);
    const Precision precision;
    return {check_cells(problem_, fill_, inputs_, buffers_.back(), precision),
            check_projection(problem_, fill_, inputs_, buffers_.back(), precision, random_bits(seed_, 1))};
  }

  /// Adds the scale of its error bound to one cell of the output: far more than rounding explains. A cell without any
  /// terms has scale 0. If cells are rounded, the largest scale of all cells: the projection cannot see an error in a
  /// small cell that is less than the roundings of the others in its line.
  void damage(Cell cell) {
    double value = 0, scale = 0;
    problem_.reference_at(inputs_, std::span(&cell, 1), &value, &scale);
    if (fill_ == Fill::reals || stored_roundoff(problem_.dtype()) > 0) {
      const BufferSpec& out = problem_.output();
      std::vector<double> values(static_cast<size_t>(out.rows * out.cols)), scales(values.size());
      problem_.reference(inputs_, values.data(), scales.data());
      scale = *std::ranges::max_element(scales);
    }
    if (scale == 0) scale = 1;
    const int64_t at = cell.row * problem_.output().ld + cell.col;
    store(problem_.dtype(), buffers_.back(), at, load(problem_.dtype(), buffers_.back(), at) + scale);
  }

  bool cells_reject() const {
    return !check_cells(problem_, fill_, inputs_, buffers_.back(), Precision()).right;
  }

  /// Tests project() without the sampled cells that check_projection also compares: both lines of `cell` must
  /// be off.
  bool projection_rejects(Cell cell) const {
    const Tolerance tolerance(problem_, fill_, Precision());
    bool row = false, column = false;
    for (const LineResidual& line : problem_.project(inputs_, buffers_.back(), random_bits(seed_, 1), fill_,
                                                     tolerance.u, tolerance.u_in)) {
      if (line.residual <= line.limit) continue;
      row = row || (line.axis == LineResidual::Axis::row && line.index == cell.row);
      column = column || (line.axis == LineResidual::Axis::column && line.index == cell.col);
    }
    return row && column;
  }

  const ConstHostBuffers& inputs() const { return inputs_; }
  const Problem& problem() const { return problem_; }

 private:
  const Problem& problem_;
  Fill fill_;
  uint64_t seed_;
  std::vector<std::vector<double>> memory_;  // double: aligned for every dtype
  ConstHostBuffers inputs_;
  std::vector<double> output_;
  HostBuffers buffers_;
};

void write_reference(const Trial& trial, const HostBuffers& buffers) {
  const Problem& problem = trial.problem();
  const BufferSpec& out = problem.output();
  std::vector<double> value(static_cast<size_t>(out.rows * out.cols)), scale(value.size());
  problem.reference(trial.inputs(), value.data(), scale.data());
  for (int64_t i = 0; i < out.rows; ++i)
    for (int64_t j = 0; j < out.cols; ++j)
      store(problem.dtype(), buffers.back(), i * out.ld + j, value[static_cast<size_t>(i * out.cols + j)]);
}

/// The method that refused a right implementation, if one did.
std::optional<std::string> refusal(const std::string& name, const Problem& problem,
                                   const std::vector<CheckResult>& results) {
  for (const CheckResult& v : results)
    if (!v.right || v.weak)
      return fmt::format("{}, {}, {}: {}", name, problem.label(), to_string(v.method),
                         v.right ? "an output of zeros would pass as well" : v.message);
  return std::nullopt;
}

/// The methods that have rejected a wrong implementation so far.
struct Rejection {
  bool cells = false, projection = false;
  std::vector<std::string> by;

  void add(const std::vector<CheckResult>& results) {
    for (const CheckResult& v : results) {
      if (v.right) continue;
      (v.method == Method::projection ? projection : cells) = true;
      const std::string method(to_string(v.method));
      if (std::find(by.begin(), by.end(), method) == by.end()) by.push_back(method);
    }
  }
  bool complete() const { return cells && projection; }
};

/// Makes one random cell of a right output wrong. Each method must reject that by itself, or it would miss a
/// single wrong cell of an output that is too large to compare cell by cell.
class OneWrongCell {
 public:
  void try_on(Trial& trial, uint64_t seed) {
    const BufferSpec& out = trial.problem().output();
    for (uint64_t t = 0; t < cells_per_problem; ++t) {
      const Cell cell{static_cast<int64_t>(random_bits(seed, 2 * t) % static_cast<uint64_t>(out.rows)),
                      static_cast<int64_t>(random_bits(seed, 2 * t + 1) % static_cast<uint64_t>(out.cols))};
      trial.compute([&](const Problem&, const HostBuffers& buffers) { write_reference(trial, buffers); });
      trial.damage(cell);
      cells_ = cells_ && trial.cells_reject();
      projection_ = projection_ && trial.projection_rejects(cell);
    }
  }

  SelfTest::Row row() const {
    std::vector<std::string> by;
    if (cells_) by.emplace_back("cells");
    if (projection_) by.emplace_back("projection");
    return {"one_wrong_cell", "one random cell of a right output is changed", cells_ && projection_,
            join(by, " + ")};
  }

 private:
  static constexpr uint64_t cells_per_problem = 4;
  bool cells_ = true, projection_ = true;
};

}  // namespace

int SelfTest::rejected() const {
  return static_cast<int>(std::count_if(rows.begin(), rows.end(), [](const Row& r) { return r.rejected; }));
}

SelfTest self_test(const Kernel& kernel, Dtype dtype, uint64_t seed) {
  const std::vector<WrongKernel> wrong = kernel.wrong_kernels(dtype);
  const std::vector<RightKernel> right = kernel.right_kernels(dtype);
  std::vector<Rejection> rejections(wrong.size());
  SelfTest result;
  OneWrongCell one_wrong_cell;
  uint64_t trials = 0;
  for (const ProblemPtr& problem : kernel.check_problems(dtype, {}, {}))
    for (const Fill fill : {Fill::integers, Fill::reals}) {
      Trial trial(*problem, fill, random_bits(seed, trials++));
      const auto accept = [&](const std::string& name, const std::vector<CheckResult>& results) {
        if (auto refused = refusal(name, *problem, results); refused && result.refused.empty())
          result.refused = *std::move(refused);
      };
      accept("the rounded reference", trial.check_output([&](const Problem&, const HostBuffers& buffers) {
        write_reference(trial, buffers);
      }));
      for (const RightKernel& k : right) accept(k.name, trial.check_output(k.run));
      for (size_t w = 0; w < wrong.size(); ++w)
        if (!rejections[w].complete()) rejections[w].add(trial.check_output(wrong[w].run));
      one_wrong_cell.try_on(trial, random_bits(seed, trials++));
    }
  for (size_t w = 0; w < wrong.size(); ++w)
    result.rows.push_back(
        {wrong[w].name, wrong[w].mistake, rejections[w].complete(), join(rejections[w].by, " + ")});
  result.rows.push_back(one_wrong_cell.row());
  result.accepts_reference = result.refused.empty();
  return result;
}

}  // namespace harness
