#include <fmt/format.h>

#include "harness/check/observation.h"

namespace harness {

namespace {

/// Up to this much work a whole reference takes less than about 10 ms on two cores.
constexpr double most_flops = 2.0 * 256 * 256 * 256;
/// Up to this many cells the data kept per cell (25 bytes) stays below 32 MB.
constexpr int64_t most_cells = 1 << 20;

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

}  // namespace

CheckResult check_cells(const Problem& problem, Fill fill, const ConstHostBuffers& inputs,
                    const std::byte* output, const Precision& precision) {
  return check_observed(observe(problem, Tolerance(problem, fill, precision), inputs, output), inputs, output);
}

CheckResult check_some_cells(const Problem& problem, Fill fill, const ConstHostBuffers& inputs, const std::byte* output,
                             const Precision& precision, std::vector<int64_t> rows, std::vector<int64_t> cols) {
  const Tolerance tolerance(problem, fill, precision);
  return check_observed(observe(problem, tolerance, inputs, output, std::move(rows), std::move(cols)), inputs, output);
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
