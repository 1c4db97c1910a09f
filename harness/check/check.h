// Is an output right? Decided here, in the trusted process, from output bytes and pristine inputs. This
// folder is compiled without fast-math; NaN is found by its bits and never passes.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/kernel/kernel.h"

namespace harness {

/// Precision a variant declares, LAB_PRECISION(...): what its arithmetic may round to.
struct Precision {
  std::string name = "ieee";  // "ieee", "tf32", "f16_inputs", ...
  double u = 0;               // accumulation roundoff; 0: that of the dtype
  double u_in = 0;            // rounding of inputs
  bool normwise = false;      // Winograd-like: only a normwise bound holds
};

enum class Method { exact, componentwise, projection };

/// How an output was judged, and what was found.
struct CheckResult {
  bool right = false;
  Method method = Method::exact;
  /// max |got - want| / bound over what was compared; right means <= 1. Exact: 0, or else the difference in
  /// units of rounding, u * scale. Largest double where a cell is NaN or infinite.
  double worst_ratio = 0;
  /// The same against the worst-case bound gamma_K, for the report. Componentwise only.
  double worst_ratio_gamma = 0;
  int64_t compared = 0, wrong = 0;  // cells (or lines, for projection)
  std::optional<Cell> first, worst;
  double got = 0, want = 0, bound = 0;  // at `first`
  bool weak = false;                    // the all-zero output would have passed: MISTRUSTED
  /// For the student: "185 of 1517 cells differ, first C[32][0]: got 1.5, want 2 (bound 1e-06); every wrong
  /// cell lies in the last 5 of 37 rows: is the incomplete tile at the end handled?" Empty for a right
  /// output.
  std::string message;
};

/// Checks the output of `problem`. Small problems are compared cell by cell, large ones by projection of all
/// lines plus sampled cells at edges and corners. `secret` seeds the projection vectors and the sample: draw
/// it after the run. Threads: all cores. Integers are judged exactly where the problem and the precision
/// allow it; 0 and -0 are equal.
CheckResult check_output(const Problem& problem, Fill fill, const ConstHostBuffers& inputs, const std::byte* output,
              const Precision& precision, uint64_t secret);

/// True where `check_output` compares every cell.
bool checks_every_cell(const Problem& problem);

/// The two ways of `check_output`, for problems of any size.
CheckResult check_cells(const Problem& problem, Fill fill, const ConstHostBuffers& inputs,
                    const std::byte* output, const Precision& precision);
CheckResult check_projection(const Problem& problem, Fill fill, const ConstHostBuffers& inputs,
                         const std::byte* output, const Precision& precision, uint64_t secret);

std::string_view to_string(Method method);

/// What surrounds and pads the output: padding between cols and ld must keep its bits. A sentence if it does
/// not.
std::optional<std::string> padding_damage(const BufferSpec& spec, Dtype dtype, const std::byte* before,
                                          const std::byte* after);

/// The check checks itself, on the kind's own check problems, cell by cell and by projection: every wrong
/// kernel must be rejected both ways, the rounded reference and every right kernel accepted both ways, on all
/// problems.
struct SelfTest {
  struct Row {
    std::string name, mistake;
    bool rejected = false;
    std::string by;  // what rejected it: "exact", "componentwise", "projection", joined by " + "
  };
  std::vector<Row> rows;
  bool accepts_reference = false;
  std::string refused;  // the honest kernel that was not accepted, with problem and verdict
  int rejected() const;
};
SelfTest self_test(const Kernel& kind, Dtype dtype, uint64_t seed);

}  // namespace harness
