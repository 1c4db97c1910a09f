// Decides whether an output is right, in the trusted process, from the bytes of the output and unmodified inputs.
// This folder is compiled without fast-math. NaN is recognised by its bits and never passes.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/kernel/kernel.h"

namespace harness {

/// The precision that a variant declares with LAB_PRECISION(...): how its arithmetic may round.
struct Precision {
  std::string name = "ieee";  // "ieee", "tf32", "f16_inputs", ...
  double u = 0;               // accumulation roundoff; 0: that of the dtype
  double u_in = 0;            // rounding of inputs
  bool normwise = false;      // Winograd-like: only a normwise bound holds
  double faster = 1;          // than the machine's limit for IEEE arithmetic, at most: other units
};

/// What LAB_PRECISION(name) allows; an empty name: the arithmetic of its type.
Result<Precision> find_precision(const std::string& name, Dtype dtype);
/// The names that LAB_PRECISION knows, "ieee" first.
std::vector<std::string> precision_names();

enum class Method { exact, componentwise, projection };

/// How an output was checked, and the result.
struct CheckResult {
  bool right = false;
  Method method = Method::exact;
  /// Maximum of |got - want| / bound over all compared cells; right means <= 1. Method exact: 0 if right, else the
  /// largest difference in units of u * scale. The largest double if a cell is NaN or infinite.
  double worst_ratio = 0;
  /// The same ratio with the worst-case bound gamma_(K+2), for the report. Method componentwise only.
  double worst_ratio_gamma = 0;
  int64_t compared = 0, wrong = 0;  // cells (or lines, for projection)
  std::optional<Cell> first, worst;
  double got = 0, want = 0, bound = 0;  // at `first`
  bool explained = false;               // the message names a pattern of the wrong cells
  bool weak = false;                    // an all-zero output would have passed too: MISTRUSTED
  /// For the student: "185 of 1517 cells differ, first C[32][0]: got 1.5, want 2 (bound 1e-06); every wrong
  /// cell lies in the last 5 of 37 rows: is the incomplete tile at the end handled?" Empty for a right
  /// output.
  std::string message;
};

/// Checks the output of `problem`. Small problems are compared cell by cell, and by projection of all lines where they hold
/// reals; large ones by projection plus sampled cells at edges and corners. `secret` seeds the projection vectors and the sample: draw
/// it after the run. Uses all cores. Integers are compared exactly where the problem and the precision allow it; 0 and
/// -0 are equal.
CheckResult check_output(const Problem& problem, Fill fill, const ConstHostBuffers& inputs, const std::byte* output,
              const Precision& precision, uint64_t secret);

/// Compares the cells where these rows and columns cross: a quick look at an output that is not checked as a whole.
CheckResult check_some_cells(const Problem& problem, Fill fill, const ConstHostBuffers& inputs, const std::byte* output,
                             const Precision& precision, std::vector<int64_t> rows, std::vector<int64_t> cols);

/// True where `check_output` compares every cell.
bool checks_every_cell(const Problem& problem);

/// The two methods of `check_output`, for problems of any size.
CheckResult check_cells(const Problem& problem, Fill fill, const ConstHostBuffers& inputs,
                    const std::byte* output, const Precision& precision);
CheckResult check_projection(const Problem& problem, Fill fill, const ConstHostBuffers& inputs,
                         const std::byte* output, const Precision& precision, uint64_t secret);

std::string_view to_string(Method method);

/// The padding between cols and ld must keep its bits. Returns a sentence if it did not.
std::optional<std::string> padding_damage(const BufferSpec& spec, Dtype dtype, const std::byte* before,
                                          const std::byte* after);

/// Tests the check itself on the kernel's own check problems, cell by cell and by projection. Each method must reject
/// every wrong implementation and, on every problem, a right output with one wrong cell. Each must accept the rounded
/// reference and every right implementation on all problems.
struct SelfTest {
  struct Row {
    std::string name, mistake;
    bool rejected = false;
    std::string by;  // what rejected it: "exact", "componentwise", "projection", joined by " + "
  };
  std::vector<Row> rows;
  bool accepts_reference = false;
  std::string refused;  // the right implementation that was not accepted, with problem and message
  int rejected() const;
};
SelfTest self_test(const Kernel& kernel, Dtype dtype, uint64_t seed);

}  // namespace harness
