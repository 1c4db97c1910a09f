// Element types of a problem.
#pragma once

#include <cstddef>

#include "harness/base/enums.h"

namespace harness {

enum class Dtype { f32, f64, bf16 };

template <>
struct Spelling<Dtype> {
  static constexpr std::string_view words[] = {"f32", "f64", "bf16"};
};

inline constexpr Dtype all_dtypes[] = {Dtype::f32, Dtype::f64, Dtype::bf16};

constexpr size_t size_of(Dtype t) { return t == Dtype::bf16 ? 2 : t == Dtype::f32 ? 4 : 8; }
/// The type in which numbers of type `t` are added up.
constexpr Dtype arithmetic_of(Dtype t) { return t == Dtype::bf16 ? Dtype::f32 : t; }
/// Unit roundoff of the arithmetic: half the distance from 1 to the next number.
constexpr double unit_roundoff(Dtype t) { return arithmetic_of(t) == Dtype::f32 ? 0x1p-24 : 0x1p-53; }
/// Unit roundoff of storing a result; 0 if the arithmetic has the same type.
constexpr double stored_roundoff(Dtype t) { return t == Dtype::bf16 ? 0x1p-8 : 0; }
/// The type's name in a variant's source.
constexpr std::string_view source_name(Dtype t) {
  return t == Dtype::f32 ? "float" : t == Dtype::f64 ? "double" : "bf16";
}

}  // namespace harness
