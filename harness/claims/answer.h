// Answers a claim from figures: a pure function, the same for measured and for published figures.
#pragma once

#include <vector>

#include "harness/claims/figures.h"

namespace harness {

/// UNDECIDED with the reason, if the claim says nothing about these figures.
AnsweredClaim answer(const Claim& claim, const std::vector<Figure>& figures);
/// What the numbers are: "ratio", "exponent", "efficiency".
std::string number_name(const claim::Form& form);

/// All claims of a config, from the cases of a run and from the published figures.
std::vector<ClaimRecord> answer_claims(const Config& config, const std::vector<const CaseRecord*>& cases,
                                       const std::vector<PublishedFile>& published);

/// A claim that HOLDS becomes UNDECIDED if a case that was left out is among those that it compares: it could refute
/// the claim. `answered` has the answers of `claims`, in their order, from `measured`.
void doubt(std::vector<ClaimRecord>& answered, const std::vector<Claim>& claims,
           const std::vector<const CaseRecord*>& measured, const std::vector<Case>& left_out);

/// Every claim must compare cases of the plan, and times only of the same problem.
/// `absent`: variants that no file has; claims about them stay UNDECIDED.
Done check_claims(const std::vector<Claim>& claims, const std::vector<Case>& planned,
                  const std::vector<std::string>& absent);

}  // namespace harness
