#include "harness/claims/answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "harness/base/text.h"
#include "harness/claims/points.h"
#include "harness/claims/select.h"

namespace harness {

using namespace claim;

namespace {

/// Leaves out axes with one value in all points.
std::vector<ClaimPoint> described(const std::vector<AnsweredPoint>& points) {
  const auto varies = [&](const auto& axis) {
    return std::ranges::any_of(points, [&](const AnsweredPoint& point) {
      const Value* value = find(point.at, axis.first);
      return !value || to_string(*value) != to_string(axis.second);
    });
  };
  std::vector<ClaimPoint> out;
  for (const AnsweredPoint& point : points) {
    Axes at = point.at;
    std::erase_if(at, [&](const auto& axis) { return !varies(axis); });
    ClaimPoint& one = out.emplace_back();
    one.at = join(at.empty() || point.more.empty() ? std::vector{to_string(at) + point.more}
                                                   : std::vector{to_string(at), point.more},
                  ", ");
    one.answer = point.answer;
    if (!point.number) {
      one.reason = point.number.error();
      continue;
    }
    one.value = point.number->value;
    if (const auto& interval = point.number->interval) {
      one.low = interval->low;
      one.high = interval->high;
    } else {
      one.reason = "there is no interval: too few samples";
    }
  }
  return out;
}

/// Four digits, without an exponent if it is large: "0.7734", "17,380"
std::string readable(double value) {
  const double rounded = std::strtod(fmt::format("{:.3e}", value).c_str(), nullptr);
  if (!(std::abs(rounded) >= 1e4 && std::abs(rounded) < 1e15)) return fmt::format("{:.4g}", value);
  std::string text = fmt::format("{:.0f}", std::abs(rounded));
  for (size_t at = text.size() - 3; at > 0 && at < text.size(); at -= 3) text.insert(at, ",");
  return (value < 0 ? "-" : "") + text;
}

/// "2.93 (2.90 to 2.97) at size=512"
std::string shown(const ClaimPoint& point) {
  if (!point.value) return point.reason;
  std::string text = readable(*point.value);
  if (point.low && *point.low < *point.high) text += fmt::format(" ({} to {})", readable(*point.low), readable(*point.high));
  if (!point.at.empty()) text += " at " + point.at;
  if (!point.reason.empty()) text += "; " + point.reason;
  return text;
}

/// The point that decides, or, of a claim that holds, those with the smallest and with the largest number.
std::string explain(const AnsweredClaim& claim, const std::string& number) {
  std::vector<const ClaimPoint*> deciding;
  for (const ClaimPoint& point : claim.points)
    if (point.answer == claim.answer) deciding.push_back(&point);
  const size_t n = deciding.size(), all = claim.points.size();
  const ClaimPoint& first = *deciding[0];
  if (claim.answer == ClaimAnswer::HOLDS && n > 1) {
    const auto [least, most] = std::ranges::minmax_element(deciding, {}, [](const ClaimPoint* p) { return *p->value; });
    return fmt::format("{} from {} to {}; {} points", number, shown(**least), shown(**most), n);
  }
  const char* verb = claim.answer == ClaimAnswer::FAILS ? "fails" : "undecided";
  return fmt::format("{}{}{}", first.value ? number + " " : "", shown(first),
                     all == 1 ? "" : fmt::format("; {} at {} of {} points", verb, n, all));
}

/// Where else a curve dips.
std::string other_dips(const AnsweredClaim& claim) {
  std::vector<std::string> others;
  for (const ClaimPoint& point : claim.points)
    if (point.answer == ClaimAnswer::FAILS) others.push_back(point.at);
  if (others.size() < 2) return "";
  others.erase(others.begin());
  return "; also at " + join(others, ", ");
}

}  // namespace

std::string number_name(const Form& form) {
  struct Name {
    std::string operator()(const Order&) const { return "ratio"; }
    std::string operator()(const Quotient&) const { return "ratio"; }
    std::string operator()(const Within& w) const { return std::string(to_string(w.item.metric)); }
    std::string operator()(const Monotone&) const { return "ratio of neighbours"; }
    std::string operator()(const Flat&) const { return "largest over smallest"; }
    std::string operator()(const Extreme&) const { return "best outside over best inside"; }
    std::string operator()(const Growth&) const { return "exponent"; }
    std::string operator()(const Dips&) const { return "value over the smaller neighbour"; }
    std::string operator()(const LastOverHighest&) const { return "last over highest"; }
  };
  return std::visit(Name{}, form);
}

AnsweredClaim answer(const Claim& claim, const std::vector<Figure>& figures) {
  AnsweredClaim answered;
  answered.why = nothing_to_compare(claim, figures);
  if (!answered.why.empty()) return answered;
  answered.points = described(points_of(claim, figures));
  std::vector<ClaimAnswer> answers;
  for (const ClaimPoint& point : answered.points) answers.push_back(point.answer);
  answered.answer = all_of(answers);
  answered.why = explain(answered, number_name(claim.form));
  if (std::holds_alternative<Dips>(claim.form)) answered.why += other_dips(answered);
  return answered;
}

std::vector<ClaimRecord> answer_claims(const Config& config, const std::vector<const CaseRecord*>& cases,
                                       const std::vector<PublishedFile>& published) {
  const auto measured = figures_of(cases);
  const auto machines = figures_of(published, config);
  std::vector<ClaimRecord> records;
  for (const Claim& claim : config.claims) {
    ClaimRecord& record = records.emplace_back();
    record.text = claim.text;
    record.source = claim.source;
    record.stated = claim.stated;
    record.number = number_name(claim.form);
    record.measured = answer(claim, measured);
    for (const MachineFigures& machine : machines) {
      if (!nothing_to_compare(claim, machine.figures).empty()) continue;
      record.published.push_back(answer(claim, machine.figures));
      record.published.back().machine = machine.machine;
    }
  }
  return records;
}

void doubt(std::vector<ClaimRecord>& answered, const std::vector<Claim>& claims,
           const std::vector<const CaseRecord*>& measured, const std::vector<Case>& left_out) {
  std::vector<Figure> all = figures_of(measured);
  const auto others = figures_of(left_out);
  all.insert(all.end(), others.begin(), others.end());
  for (size_t i = 0; i < std::min(claims.size(), answered.size()); ++i) {
    if (answered[i].measured.answer != ClaimAnswer::HOLDS) continue;
    AnsweredClaim whole = answer(claims[i], all);
    if (whole.answer == ClaimAnswer::HOLDS) continue;
    whole.answer = ClaimAnswer::UNDECIDED;
    whole.why = "a case that it compares was left out: " + whole.why;
    answered[i].measured = std::move(whole);
  }
}

}  // namespace harness
