// What the harness knows about a kernel (gemm, conv2d, ...). A kernel is one folder in reference/ that implements
// Kernel and Problem and registers itself. Nothing in harness/ knows what it computes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/base/dtype.h"
#include "harness/base/registry.h"
#include "harness/base/result.h"
#include "harness/kernel/value.h"

namespace harness {

enum class Role { input, output, inout };

/// A matrix-shaped buffer: `rows` lines of `cols` elements, `ld` elements apart (ld >= cols). Tensors are
/// flattened to lines (NCHW: rows = n*c*h, cols = w).
struct BufferSpec {
  std::string name;  // "A"
  Role role = Role::input;
  int64_t rows = 0, cols = 0, ld = 0;

  int64_t elements() const { return rows > 0 ? (rows - 1) * ld + cols : 0; }
  int64_t bytes(Dtype t) const { return elements() * static_cast<int64_t>(size_of(t)); }
};

/// An output is filled with this byte before most calls. The result is NaN in every floating type. A wrong cell that still
/// has these bits was never written.
inline constexpr unsigned char poison_byte = 0xff;

/// The NaN in the padding between cols and ld. Its bits differ from the poison, so that the check can tell when
/// a CPU variant has read padding.
constexpr uint64_t padding_bits(Dtype t) {
  return t == Dtype::f64 ? 0x7ffce5a5e5a5e5a5 : t == Dtype::f32 ? 0x7fe5a5a5 : 0x7fe5;
}

/// How inputs are drawn.
enum class Fill {
  integers,  // small integers: every order of summation gives the same bits
  reals,     // uniform in [-1, 1), some rows times a power of 2: rounding happens, times are realistic
};

/// First elements of a problem's buffers on the host, in the order of Problem::buffers().
using HostBuffers = std::vector<std::byte*>;
using ConstHostBuffers = std::vector<const std::byte*>;

struct Cell {
  int64_t row = 0, col = 0;
};

/// What a variant may do: compute the products of the definition, or transform its inputs (Winograd, FFT, Strassen) and
/// need fewer products.
enum class Algorithms { direct, transforming };

/// One line (row or column) of a randomised identity. |residual| <= limit if the result is right.
struct LineResidual {
  enum class Axis { row, column } axis = Axis::row;
  int64_t index = 0;
  double residual = 0, limit = 0;
};

/// One fully determined problem: shapes, scalars, element type. Immutable.
class Problem {
 public:
  virtual ~Problem() = default;

  Dtype dtype() const { return dtype_; }
  /// "m=3 n=5 k=7 lda=9"; what a message or a table row calls this problem.
  virtual std::string label() const = 0;
  /// Parameter names and values, complete (derived ones too).
  virtual Axes parameters() const = 0;
  /// The parameters as the variant's glue code receives them: a trivially copyable struct from labs/lab/<kernel>.h.
  virtual std::span<const std::byte> blob() const = 0;
  /// Inputs first, then the one output or inout buffer, last.
  virtual const std::vector<BufferSpec>& buffers() const = 0;
  const BufferSpec& output() const { return buffers().back(); }
  /// The bytes of all buffers together.
  int64_t buffer_bytes() const;

  /// Arithmetic of one call, in floating-point operations.
  virtual double flops() const = 0;
  /// Fewest operations that a right variant can do with: without products that are 0 in every input, as those with padding.
  /// The machine's limit is about these.
  virtual double least_flops(Algorithms algorithms) const = 0;
  /// Fewest bytes one call must move: each input read once, the output written once.
  virtual double bytes() const = 0;
  /// Number of products summed into one output element: K in the error bound.
  virtual int64_t reduction_length() const = 0;
  /// True if Fill::integers makes every order of summation exact in arithmetic with roundoff `u` on inputs
  /// rounded with `u_in` (0: not rounded). Where it is false (alpha = 0.1), integer data is checked like
  /// real data.
  virtual bool exact_possible(double u, double u_in) const { return u <= unit_roundoff(dtype_) && u_in == 0; }

  /// Draws every buffer from a counter-based generator (same data for any thread count). Padding between cols
  /// and ld becomes NaN. An output that the problem does not read becomes NaN throughout for integers, and is drawn like an
  /// input for reals: a kernel may add to it after a test for NaN.
  virtual void fill(Fill fill, uint64_t seed, const HostBuffers& buffers) const = 0;

  /// float64 reference of the whole output, dense (rows x cols), and the scale of its error bound,
  /// e.g. |alpha||A||B| + |beta||C|. `inputs` holds the pristine buffers, the inout one before the call.
  virtual void reference(const ConstHostBuffers& inputs, double* value, double* scale) const = 0;
  /// The same for some cells only: O(reduction_length) each.
  virtual void reference_at(const ConstHostBuffers& inputs, std::span<const Cell> cells, double* value,
                            double* scale) const = 0;
  /// The part of a cell's result that comes from its value before the call: beta * c, or 0 if the problem does not read it.
  virtual double old_part(const ConstHostBuffers&, Cell) const { return 0; }
  /// The scale of every cell for an algorithm that transforms its inputs (Winograd, FFT, Strassen): what it rounds
  /// are sums of inputs that share a transform, not a cell's own products. `scales` are those of the cells that are
  /// compared; no less than the largest of them.
  virtual double normwise_scale(const ConstHostBuffers& inputs, std::span<const double> scales) const;
  /// A randomised identity over all rows and all columns in O(inputs + output), with vectors drawn from
  /// `seed`, which the variant must not know. Limits hold for any order of summation with roundings of `u`;
  /// with Fill::integers they are exact (limit 0). `u_in` is the rounding a variant may apply to inputs (0 by
  /// default).
  virtual std::vector<LineResidual> project(const ConstHostBuffers& inputs, const std::byte* output, uint64_t seed,
                                            Fill fill, double u, double u_in) const = 0;

  /// Names the mistake, if `got` equals what a known one would give ("equals A * transpose(B)").
  virtual std::optional<std::string> explain(const ConstHostBuffers& inputs, const std::byte* got) const = 0;

 protected:
  explicit Problem(Dtype dtype) : dtype_(dtype) {}

 private:
  Dtype dtype_;
};

using ProblemPtr = std::shared_ptr<const Problem>;

/// A deliberately wrong implementation (trusted code): the check must reject it.
struct WrongKernel {
  std::string name;     // "last_k_dropped"
  std::string mistake;  // "the last step of the k loop is missing"
  std::function<void(const Problem&, const HostBuffers&)> run;
};

/// A right implementation with another order of summation (trusted code): the check must accept it.
struct RightKernel {
  std::string name;  // "reversed"
  std::function<void(const Problem&, const HostBuffers&)> run;
};

/// A parameter a YAML file may set or sweep.
struct Parameter {
  std::string name;  // "size", "m", "alpha"
  enum class Type { integer, real } type = Type::integer;
  std::string doc;  // "sets m = n = k"
};

class Kernel {
 public:
  virtual ~Kernel() = default;
  virtual std::string name() const = 0;     // "gemm": also the folder below labs/ and reference/
  virtual std::string formula() const = 0;  // "C = alpha A B + beta C", for reports
  virtual std::vector<Parameter> parameters() const = 0;

  /// A problem from parameter values. Errors name the parameter: `m must be at least 1, not -3`.
  virtual Result<ProblemPtr> problem(Dtype dtype, const Axes& parameters) const = 0;

  /// Shapes every build is checked on: 1x1x1, primes, edges of the build's tile +-1, thin, k = 1, padded
  /// rows, beta = 0 over NaN, ... `macros` are the build's (BLOCK=16). `scalars` are alpha, beta and such of
  /// the sweep.
  virtual std::vector<ProblemPtr> check_problems(Dtype dtype, const Axes& macros, const Axes& scalars) const = 0;
  /// `count` small problems drawn at random from what the parameters allow: a list has gaps that stay.
  virtual std::vector<ProblemPtr> drawn_problems(Dtype, const Axes& macros, uint64_t seed, int count) const {
    (void)macros, (void)seed, (void)count;
    return {};
  }
  /// Problems without incomplete tiles, large enough to show how a variant uses memory, with each kind of scalars.
  virtual std::vector<ProblemPtr> typical(Dtype, const Axes& macros) const {
    (void)macros;
    return {};
  }
  /// `count` problems that take about as much work, because a variant may compute small problems in another way than those that are
  /// timed. Each size is up to a quarter smaller. Some have other gaps between rows, and other scalars. All sizes of the first
  /// one are odd. Every second one has other proportions and may take less work: some sizes are much smaller, or one is larger instead.
  virtual std::vector<ProblemPtr> neighbours(const Problem& problem, uint64_t seed, int count) const {
    (void)problem, (void)seed, (void)count;
    return {};
  }
  /// `problem`, or one of the same proportions that needs no more than these; null: there is none.
  virtual ProblemPtr reduced(const Problem& problem, double most_flops, int64_t most_bytes) const {
    (void)problem, (void)most_flops, (void)most_bytes;
    return nullptr;
  }

  virtual std::vector<WrongKernel> wrong_kernels(Dtype dtype) const = 0;
  virtual std::vector<RightKernel> right_kernels(Dtype) const { return {}; }
};

/// Kernels register with `static const Register<Kernel> registered(&the_kernel);`
const Kernel* find_kernel(const std::string& name);
std::vector<std::string> kernel_names();

}  // namespace harness
