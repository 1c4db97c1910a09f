#include <fmt/format.h>

#include <cmath>

#include "harness/check/observation.h"

namespace harness {

namespace {

/// Up to this much work a whole reference takes less than about 10 ms on two cores.
constexpr double most_flops = 2.0 * 256 * 256 * 256;
/// Up to this many cells the data kept per cell (33 bytes) stays below 35 MB.
constexpr int64_t most_cells = 1 << 20;

/// Without a mistake it is about 1.
constexpr double most_mean_error = 8;

constexpr std::string_view weak_message =
    "an output of zeros would pass as well: this data cannot tell right from wrong";

}  // namespace

std::string_view to_string(Method method) {
  switch (method) {
    case Method::exact:
      return "exact";
    case Method::componentwise:
      return "componentwise";
    case Method::projection:
      return "projection";
  }
  return "";
}

bool checks_every_cell(const Problem& problem) {
  const BufferSpec& out = problem.output();
  return problem.flops() <= most_flops && out.rows * out.cols <= most_cells;
}

namespace {

CheckResult check_observed(const Observation& seen, const ConstHostBuffers& inputs, const std::byte* output) {
  CheckResult v = summarize(seen);
  if (v.right) return v;
  explain(v,
          fmt::format("{} of {} cells {}, {}", v.wrong, v.compared, v.wrong == 1 ? "differs" : "differ",
                      describe_cells(seen, v, "first")),
          common_value(seen, inputs, output), common_location(seen, wrong_lines(seen)));
  return v;
}

/// How far the cells are off together: the root mean square of their errors, each in units of what one may be off by
/// chance. On data with mean 0 the simple loop, the worst order, has errors of about u * scale (reference/common/residuals.h).
/// The bound of a single cell is sqrt(k) times as large, and that hides inputs of fewer bits in long sums.
double mean_error(const Observation& seen) {
  const Tolerance& t = seen.tolerance;
  const double k = static_cast<double>(seen.problem.reduction_length());
  double sum = 0;
  for (size_t i = 0; i < seen.size(); ++i) {
    const double unit = (t.u + 2 * t.u_in / std::sqrt(k)) * seen.scale[i] + t.stored(seen.want[i], seen.old[i]);
    const double error = std::abs(seen.got[i] - seen.want[i]);
    if (error > 0) sum += error / unit * (error / unit);
  }
  return std::sqrt(sum / static_cast<double>(seen.size()));
}

}  // namespace

CheckResult check_cells(const Problem& problem, Fill fill, const ConstHostBuffers& inputs,
                    const std::byte* output, const Precision& precision) {
  return check_observed(observe(problem, Tolerance(problem, fill, precision), inputs, output), inputs, output);
}

CheckResult check_some_cells(const Problem& problem, Fill fill, const ConstHostBuffers& inputs, const std::byte* output,
                             const Precision& precision, std::vector<int64_t> rows, std::vector<int64_t> cols) {
  const Tolerance tolerance(problem, fill, precision);
  const Observation seen = observe(problem, tolerance, inputs, output, std::move(rows), std::move(cols));
  CheckResult result = check_observed(seen, inputs, output);
  if (!result.right || fill != Fill::reals) return result;
  if (const double times = mean_error(seen); times > most_mean_error) {
    result.right = false;
    explain(result, fmt::format("{} cells together are {:.0f} times as far off as rounding explains", seen.size(), times),
            common_value(seen, inputs, output), std::nullopt);
  }
  return result;
}

CheckResult check_output(const Problem& problem, Fill fill, const ConstHostBuffers& inputs, const std::byte* output,
              const Precision& precision, uint64_t secret) {
  const bool cells = checks_every_cell(problem);
  CheckResult v = cells ? check_cells(problem, fill, inputs, output, precision)
                        : check_projection(problem, fill, inputs, output, precision, secret);
  // The limit of one cell grows with sqrt(K), and the error of inputs rounded to fewer bits does not. Sums over a line
  // show it.
  if (cells && v.right && fill == Fill::reals) {
    CheckResult sums = check_projection(problem, fill, inputs, output, precision, secret);
    if (!sums.right) return sums;
  }
  if (v.right && v.weak) v.message = weak_message;
  return v;
}

}  // namespace harness
