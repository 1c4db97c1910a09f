// Element types of a problem.
#pragma once

#include <cstddef>

#include "harness/base/enums.h"

namespace harness {

enum class Dtype { f32, f64 };

template <>
struct Spelling<Dtype> {
  static constexpr std::string_view words[] = {"f32", "f64"};
};

constexpr size_t size_of(Dtype t) { return t == Dtype::f32 ? 4 : 8; }
/// Unit roundoff: half the distance from 1 to the next number.
constexpr double unit_roundoff(Dtype t) { return t == Dtype::f32 ? 0x1p-24 : 0x1p-53; }

}  // namespace harness
