#include <fmt/format.h>

#include <algorithm>

#include "harness/base/random.h"
#include "harness/base/text.h"
#include "harness/check/check.h"

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

  /// The results of both methods for what `run` computes. The output starts as the generator filled it.
  template <class Run>
  std::vector<CheckResult> check_output(Run run) {
    output_ = memory_.back();
    run(problem_, buffers_);
    const Precision precision;
    return {check_cells(problem_, fill_, inputs_, buffers_.back(), precision),
            check_projection(problem_, fill_, inputs_, buffers_.back(), precision, random_bits(seed_, 1))};
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
    for (int64_t j = 0; j < out.cols; ++j) {
      const double v = value[static_cast<size_t>(i * out.cols + j)];
      if (problem.dtype() == Dtype::f32)
        reinterpret_cast<float*>(buffers.back())[i * out.ld + j] = static_cast<float>(v);
      else
        reinterpret_cast<double*>(buffers.back())[i * out.ld + j] = v;
    }
}

/// The method that refused a right implementation, if one did.
std::optional<std::string> refusal(const std::string& name, const Problem& problem,
                                   const std::vector<CheckResult>& verdicts) {
  for (const CheckResult& v : verdicts)
    if (!v.right || v.weak)
      return fmt::format("{}, {}, {}: {}", name, problem.label(), to_string(v.method),
                         v.right ? "an output of zeros would pass as well" : v.message);
  return std::nullopt;
}

/// The methods that have rejected a wrong implementation so far.
struct Rejection {
  bool cells = false, projection = false;
  std::vector<std::string> by;

  void add(const std::vector<CheckResult>& verdicts) {
    for (const CheckResult& v : verdicts) {
      if (v.right) continue;
      (v.method == Method::projection ? projection : cells) = true;
      const std::string method(to_string(v.method));
      if (std::find(by.begin(), by.end(), method) == by.end()) by.push_back(method);
    }
  }
  bool complete() const { return cells && projection; }
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
  uint64_t trials = 0;
  for (const ProblemPtr& problem : kernel.check_problems(dtype, {}, {}))
    for (const Fill fill : {Fill::integers, Fill::reals}) {
      Trial trial(*problem, fill, random_bits(seed, trials++));
      const auto accept = [&](const std::string& name, const std::vector<CheckResult>& verdicts) {
        if (auto refused = refusal(name, *problem, verdicts); refused && result.refused.empty())
          result.refused = *std::move(refused);
      };
      accept("the rounded reference", trial.check_output([&](const Problem&, const HostBuffers& buffers) {
        write_reference(trial, buffers);
      }));
      for (const RightKernel& k : right) accept(k.name, trial.check_output(k.run));
      for (size_t w = 0; w < wrong.size(); ++w)
        if (!rejections[w].complete()) rejections[w].add(trial.check_output(wrong[w].run));
    }
  for (size_t w = 0; w < wrong.size(); ++w)
    result.rows.push_back(
        {wrong[w].name, wrong[w].mistake, rejections[w].complete(), join(rejections[w].by, " + ")});
  result.accepts_reference = result.refused.empty();
  return result;
}

}  // namespace harness
