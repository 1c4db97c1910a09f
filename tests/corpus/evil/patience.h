// When a variant that behaves well as long as it is checked begins to cheat.
#pragma once

#include "lab/gemm.h"

/// The first calls of a size that few check shapes have, and the first calls of other sizes.
static bool still_checked(const lab::Gemm<float>& g) {
  static int calls = 0, large = 0;
  return g.m > 64 && g.n > 64 && g.k > 64 ? ++large <= 6 : ++calls < 120;
}
