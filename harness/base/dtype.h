// Element types of a problem.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace harness {

enum class Dtype { f32, f64 };

constexpr std::string_view to_string(Dtype t) { return t == Dtype::f32 ? "f32" : "f64"; }
constexpr size_t size_of(Dtype t) { return t == Dtype::f32 ? 4 : 8; }
/// Unit roundoff: half the distance from 1 to the next number.
constexpr double unit_roundoff(Dtype t) { return t == Dtype::f32 ? 0x1p-24 : 0x1p-53; }

constexpr std::optional<Dtype> parse_dtype(std::string_view s) {
  if (s == "f32") return Dtype::f32;
  if (s == "f64") return Dtype::f64;
  return std::nullopt;
}

}  // namespace harness
