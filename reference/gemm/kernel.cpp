// The kernel "gemm": its parameters and the errors in them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "harness/base/text.h"
#include "reference/gemm/problem.h"

namespace harness::gemm {

namespace {

/// The sizes in bytes of three matrices with this edge fit easily into an int64_t.
constexpr int64_t largest_edge = int64_t{1} << 28;

/// Rounding bounds are relative. They do not hold if alpha or beta make results underflow or overflow.
constexpr double smallest_scalar = 1e-6, largest_scalar = 1e6;

std::string shown(const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return fmt::format("\"{}\"", *text);
  return to_string(value);
}

Result<int64_t> integer(const std::string& name, const Value& value) {
  if (const auto* i = std::get_if<int64_t>(&value)) return *i;
  const auto* real = std::get_if<double>(&value);
  // A number beyond these bounds is too large or too small for any parameter.
  if (real != nullptr && std::floor(*real) == *real) return static_cast<int64_t>(std::clamp(*real, -0x1p53, 0x1p53));
  return Error{fmt::format("{} must be an integer, not {}", name, shown(value))};
}

Result<int64_t> edge(const std::string& name, const Value& value) {
  TRY_ASSIGN(const int64_t i, integer(name, value));
  if (i < 1) return Error{fmt::format("{} must be at least 1, not {}", name, shown(value))};
  if (i > largest_edge) return Error{fmt::format("{} must be at most {}, not {}", name, largest_edge, shown(value))};
  return i;
}

enum class Zero { allowed, refused };

Result<double> scalar(const std::string& name, const Value& value, Zero zero) {
  if (std::holds_alternative<std::string>(value))
    return Error{fmt::format("{} must be a number, not {}", name, shown(value))};
  const auto* i = std::get_if<int64_t>(&value);
  const double x = i != nullptr ? static_cast<double>(*i) : std::get<double>(value);
  const double size = std::abs(x);
  if ((size >= smallest_scalar && size <= largest_scalar) || (x == 0 && zero == Zero::allowed)) return x;
  if (x == 0) return Error{fmt::format("{} must not be 0: no product would be left to time; the checks try 0", name)};
  return Error{zero == Zero::allowed ? fmt::format("{} must be 0 or between {} and {} in size, not {}", name, smallest_scalar,
                                                   largest_scalar, shown(value))
                                     : fmt::format("{} must be between {} and {} in size, not {}", name, smallest_scalar,
                                                   largest_scalar, shown(value))};
}

class GemmKernel final : public Kernel {
 public:
  std::string name() const override { return "gemm"; }
  std::string formula() const override { return "C = alpha A B + beta C"; }

  std::vector<Parameter> parameters() const override {
    using enum Parameter::Type;
    return {{"size", integer, "sets m = n = k"},
            {"m", integer, "rows of A and C"},
            {"n", integer, "columns of B and C"},
            {"k", integer, "columns of A, rows of B: products summed into one element of C"},
            {"lda", integer, "elements from one row of A to the next, default k"},
            {"ldb", integer, "elements from one row of B to the next, default n"},
            {"ldc", integer, "elements from one row of C to the next, default n"},
            {"alpha", real, "factor of A B, default 1, not 0"},
            {"beta", real, "factor of the old C, default 0: C is not read"}};
  }

  Result<ProblemPtr> problem(Dtype dtype, const Axes& given) const override {
    std::vector<std::string> known;
    for (const Parameter& p : parameters()) known.push_back(p.name);
    for (const auto& [key, value] : given)
      if (std::find(known.begin(), known.end(), key) == known.end())
        return Error{fmt::format("gemm has no parameter \"{}\"{}", key, did_you_mean(key, known))};

    Shape s{};
    TRY(read_edges(given, s));
    TRY(read_width(given, "lda", "k", s.k, s.lda));
    TRY(read_width(given, "ldb", "n", s.n, s.ldb));
    TRY(read_width(given, "ldc", "n", s.n, s.ldc));
    s.alpha = 1;
    if (const Value* v = find(given, "alpha")) {
      TRY_ASSIGN(s.alpha, scalar("alpha", *v, Zero::refused));
    }
    if (const Value* v = find(given, "beta")) {
      TRY_ASSIGN(s.beta, scalar("beta", *v, Zero::allowed));
    }
    return ProblemPtr(std::make_shared<Gemm>(dtype, s));
  }

  std::vector<ProblemPtr> check_problems(Dtype dtype, const Axes& macros,
                                         const Axes& scalars) const override {
    return gemm::check_problems(dtype, macros, scalars);
  }
  std::vector<ProblemPtr> drawn_problems(Dtype dtype, const Axes& macros, uint64_t seed, int count) const override {
    return gemm::drawn_problems(dtype, macros, seed, count);
  }
  std::vector<ProblemPtr> neighbours(const Problem& given, uint64_t seed, int count) const override {
    return gemm::neighbours(static_cast<const Gemm&>(given), seed, count);
  }
  std::vector<ProblemPtr> typical(Dtype dtype, const Axes&) const override {
    return {*problem(dtype, {{"size", int64_t{128}}}), *problem(dtype, {{"size", int64_t{128}}, {"beta", 0.5}})};
  }
  // Halves the edges, all of them together, so that whole tiles stay whole as long as they can.
  ProblemPtr reduced(const Problem& given, double most_flops, int64_t most_bytes) const override {
    Shape s = static_cast<const Gemm&>(given).shape();
    const auto halved = [](int64_t n) { return std::max<int64_t>(n / 2, 1); };
    for (;;) {
      auto problem = std::make_shared<Gemm>(given.dtype(), s);
      int64_t bytes = 0;
      for (const BufferSpec& b : problem->buffers()) bytes += b.bytes(given.dtype());
      if (problem->flops() <= most_flops && bytes <= most_bytes) return problem;
      if (std::max({s.m, s.n, s.k}) == 1) return nullptr;
      const int64_t gap_a = s.lda - s.k, gap_b = s.ldb - s.n, gap_c = s.ldc - s.n;
      s.m = halved(s.m);
      s.n = halved(s.n);
      s.k = halved(s.k);
      s.lda = s.k + gap_a / 2;
      s.ldb = s.n + gap_b / 2;
      s.ldc = s.n + gap_c / 2;
    }
  }
  std::vector<WrongKernel> wrong_kernels(Dtype dtype) const override { return gemm::wrong_kernels(dtype); }
  std::vector<RightKernel> right_kernels(Dtype dtype) const override { return gemm::right_kernels(dtype); }

 private:
  static Done read_edges(const Axes& given, Shape& s) {
    const Value* size = find(given, "size");
    if (size != nullptr) {
      TRY_ASSIGN(s.m, edge("size", *size));
      s.n = s.k = s.m;
    }
    std::vector<std::string> missing;
    for (const auto& [key, target] : {std::pair{"m", &s.m}, {"n", &s.n}, {"k", &s.k}}) {
      const Value* v = find(given, key);
      if (v == nullptr) {
        missing.push_back(key);
        continue;
      }
      if (size != nullptr) return Error{fmt::format("size sets m, n and k: give either size or {}", key)};
      TRY_ASSIGN(*target, edge(key, *v));
    }
    if (size == nullptr && !missing.empty())
      return Error{fmt::format("gemm needs size, or m, n and k: {} {} missing", join(missing, ", "),
                               missing.size() == 1 ? "is" : "are")};
    return ok();
  }

  /// A leading dimension; the default is `width`.
  static Done read_width(const Axes& given, const char* name, const char* of, int64_t width, int64_t& ld) {
    ld = width;
    const Value* v = find(given, name);
    if (v == nullptr) return ok();
    TRY_ASSIGN(ld, edge(name, *v));
    if (ld < width) return Error{fmt::format("{} must be at least {} = {}, not {}", name, of, width, ld)};
    return ok();
  }
};

const GemmKernel the_kernel;
const Register<Kernel> registered(&the_kernel);

}  // namespace

}  // namespace harness::gemm
