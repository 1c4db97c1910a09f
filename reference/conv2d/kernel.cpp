// The kernel "conv2d": its parameters and the errors in them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/base/text.h"
#include "reference/conv2d/problem.h"

namespace harness::conv2d {

namespace {

/// Sums of a few such edges fit an int64_t; their products are checked in double.
constexpr int64_t largest_edge = int64_t{1} << 28;
constexpr double most_elements = 0x1p40;

std::string shown(const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return fmt::format("\"{}\"", *text);
  return to_string(value);
}

Result<int64_t> integer(const std::string& name, const Value& value, int64_t least) {
  const auto* i = std::get_if<int64_t>(&value);
  const auto* real = std::get_if<double>(&value);
  const bool whole = real != nullptr && std::floor(*real) == *real;
  if (i == nullptr && !whole) return Error{fmt::format("{} must be an integer, not {}", name, shown(value))};
  // A number beyond these bounds is too large or too small for any parameter.
  const int64_t x = i != nullptr ? *i : static_cast<int64_t>(std::clamp(*real, -0x1p53, 0x1p53));
  if (x < least) return Error{fmt::format("{} must be at least {}, not {}", name, least, shown(value))};
  if (x > largest_edge) return Error{fmt::format("{} must be at most {}, not {}", name, largest_edge, shown(value))};
  return x;
}

/// The names of one direction's parameters, for messages.
struct Direction {
  const char *edge, *filter;
};
constexpr Direction down{"height", "filter_height"}, across{"width", "filter_width"};

Done check_direction(const Direction& names, const Edge& e) {
  if (e.taps > e.image + 2 * e.padding)
    return Error{fmt::format("{} must be at most {} + 2 * padding = {}, not {}", names.filter, names.edge,
                             e.image + 2 * e.padding, e.taps)};
  for (int64_t tap = 0; tap < e.taps; ++tap)
    if (e.valid_outputs(tap).begin < e.valid_outputs(tap).end) return ok();
  return Error{
      fmt::format("stride {} and padding {} step over the whole {} of {}: the result is 0 whatever a kernel "
                  "computes; choose a padding below {}",
                  e.stride, e.padding, names.edge, e.image, names.filter)};
}

Done check_size(const char* buffer, std::initializer_list<int64_t> edges) {
  double elements = 1;
  for (const int64_t e : edges) elements *= static_cast<double>(e);
  if (elements <= most_elements) return ok();
  return Error{fmt::format("the {} would have {:.3g} elements; at most {:.3g} are allowed", buffer, elements,
                           most_elements)};
}

Done check(const Shape& s) {
  const Edge rows = rows_of(s), columns = columns_of(s);
  TRY(check_direction(down, rows));
  TRY(check_direction(across, columns));
  TRY(check_size("input", {s.batch, s.channels, s.height, s.width}));
  TRY(check_size("filter", {s.filters, s.channels, s.filter_height, s.filter_width}));
  return check_size("output", {s.batch, s.filters, rows.outputs, columns.outputs});
}

class Conv2dKernel final : public Kernel {
 public:
  std::string name() const override { return "conv2d"; }
  std::string formula() const override { return "output = input * filter (cross-correlation, NCHW)"; }

  std::vector<Parameter> parameters() const override {
    using enum Parameter::Type;
    return {{"size", integer, "sets height = width"},
            {"height", integer, "rows of an image"},
            {"width", integer, "columns of an image"},
            {"batch", integer, "images, default 1"},
            {"channels", integer, "channels of an image and of a filter, default 1"},
            {"filters", integer, "filters, which are the channels of the output, default 1"},
            {"filter", integer, "sets filter_height = filter_width, default 3"},
            {"filter_height", integer, "rows of a filter"},
            {"filter_width", integer, "columns of a filter"},
            {"stride", integer, "step of the filter in both directions, default 1"},
            {"padding", integer, "zeros around an image, all four sides, default 0"}};
  }

  Result<ProblemPtr> problem(Dtype dtype, const Axes& given) const override {
    std::vector<std::string> known;
    for (const Parameter& p : parameters()) known.push_back(p.name);
    for (const auto& [key, value] : given)
      if (std::find(known.begin(), known.end(), key) == known.end())
        return Error{fmt::format("conv2d has no parameter \"{}\"{}", key, did_you_mean(key, known))};

    Shape s{};
    s.batch = s.channels = s.filters = s.stride = 1;
    TRY(read_pair(given, "size", {"height", &s.height}, {"width", &s.width}, std::nullopt));
    TRY(read_pair(given, "filter", {"filter_height", &s.filter_height}, {"filter_width", &s.filter_width},
                  3));
    for (const auto& [key, target] : {Target{"batch", &s.batch},
                                      {"channels", &s.channels},
                                      {"filters", &s.filters},
                                      {"stride", &s.stride}})
      TRY(read(given, {key, target}, 1));
    TRY(read(given, {"padding", &s.padding}, 0));
    TRY(check(s));
    return ProblemPtr(std::make_shared<Conv2d>(dtype, s));
  }

  std::vector<ProblemPtr> check_problems(Dtype dtype, const Axes& macros,
                                         const Axes& scalars) const override {
    return conv2d::check_problems(dtype, macros, scalars);
  }
  std::vector<ProblemPtr> drawn_problems(Dtype dtype, const Axes& macros, uint64_t seed, int count) const override {
    return conv2d::drawn_problems(dtype, macros, seed, count);
  }
  std::vector<ProblemPtr> neighbours(const Problem& given, uint64_t seed, int count) const override {
    return conv2d::neighbours(static_cast<const Conv2d&>(given), seed, count);
  }
  std::vector<ProblemPtr> typical(Dtype dtype, const Axes&) const override {
    return {*problem(dtype, {{"size", int64_t{128}}, {"channels", int64_t{3}}, {"padding", int64_t{1}}})};
  }
  // Fewer images first, then smaller ones, then fewer channels and filters.
  ProblemPtr reduced(const Problem& given, double most_flops, int64_t most_bytes) const override {
    Shape s = static_cast<const Conv2d&>(given).shape();
    for (;;) {
      if (steps_over_image(s)) s.padding = std::min(s.filter_height, s.filter_width) - 1;
      auto problem = std::make_shared<Conv2d>(given.dtype(), s);
      int64_t bytes = 0;
      for (const BufferSpec& b : problem->buffers()) bytes += b.bytes(given.dtype());
      if (problem->flops() <= most_flops && bytes <= most_bytes) return problem;
      if (s.batch > 1) {
        s.batch = (s.batch + 1) / 2;
      } else if (s.height / 2 >= s.filter_height && s.width / 2 >= s.filter_width) {
        s.height /= 2;
        s.width /= 2;
      } else if (s.channels > 1 || s.filters > 1) {
        s.channels = (s.channels + 1) / 2;
        s.filters = (s.filters + 1) / 2;
      } else {
        return nullptr;
      }
    }
  }
  std::vector<WrongKernel> wrong_kernels(Dtype dtype) const override { return conv2d::wrong_kernels(dtype); }
  std::vector<RightKernel> right_kernels(Dtype dtype) const override { return conv2d::right_kernels(dtype); }

 private:
  struct Target {
    const char* name;
    int64_t* value;
  };

  static Done read(const Axes& given, const Target& target, int64_t least) {
    const Value* v = find(given, target.name);
    if (v == nullptr) return ok();
    TRY_ASSIGN(*target.value, integer(target.name, *v, least));
    return ok();
  }

  /// Two edges; the parameter `both` sets both of them.
  static Done read_pair(const Axes& given, const char* both, const Target& first, const Target& second,
                        std::optional<int64_t> otherwise) {
    const Value* v = find(given, both);
    if (v != nullptr) {
      TRY_ASSIGN(*first.value, integer(both, *v, 1));
      *second.value = *first.value;
    }
    std::vector<std::string> missing;
    for (const Target& t : {first, second}) {
      if (find(given, t.name) == nullptr)
        missing.push_back(t.name);
      else if (v != nullptr)
        return Error{fmt::format("{} sets {} and {}: give either {} or {}", both, first.name, second.name,
                                 both, t.name)};
      TRY(read(given, t, 1));
    }
    if (v != nullptr || missing.empty()) return ok();
    if (missing.size() == 2 && otherwise) {
      *first.value = *second.value = *otherwise;
      return ok();
    }
    return Error{fmt::format("conv2d needs {}, or {} and {}: {} {} missing", both, first.name, second.name,
                             join(missing, ", "), missing.size() == 1 ? "is" : "are")};
  }
};

const Conv2dKernel the_kernel;
const Register<Kernel> registered(&the_kernel);

}  // namespace

}  // namespace harness::conv2d
