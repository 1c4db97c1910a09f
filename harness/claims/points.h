// The numbers that a claim is about, each with its own answer.
#pragma once

#include <string>
#include <vector>

#include "harness/claims/figures.h"

namespace harness {

struct AnsweredPoint {
  Axes at;
  std::string more;  // "BLOCK=8 to 16": behind the axes
  ClaimAnswer answer = ClaimAnswer::UNDECIDED;
  Numbered number;
};

/// The claim must compare something: see nothing_to_compare.
std::vector<AnsweredPoint> points_of(const Claim& claim, const std::vector<Figure>& figures);

/// FAILS if one of them does, HOLDS if all do.
ClaimAnswer all_of(const std::vector<ClaimAnswer>& answers);

}  // namespace harness
