#include "harness/compare/compare_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "harness/base/text.h"
#include "harness/machine/noise.h"
#include "harness/measure/level.h"

namespace harness {
namespace {

std::string state_of(const CaseRecord& record) {
  if (record.status != Status::PASSED || !record.samples_ms.empty()) return std::string(to_string(record.status));
  return record.device == Device::emulated ? "not timed on the emulated device" : "no samples";
}

// Samples that follow each other are alike: a machine is slow for a while. So the interval also covers the medians of four
// consecutive parts of the samples.
void cover_parts(std::span<const double> samples, Summary& summary) {
  constexpr size_t parts = 4, fewest = 5;
  if (!summary.interval || samples.size() < parts * fewest) return;
  for (size_t i = 0; i < parts; ++i) {
    const size_t begin = i * samples.size() / parts, end = (i + 1) * samples.size() / parts;
    const double median = summarize(samples.subspan(begin, end - begin)).median;
    summary.interval = {std::min(summary.interval->low, median), std::max(summary.interval->high, median)};
  }
}

bool began_busy(const RunRecord& run) { return run.noise.before && busy_machine(*run.noise.before, run.machine.cpu.cores); }

// The probability that all samples of one list lie beyond all of the other, if both come from the same distribution.
double chance_of_separation(int n, int m) {
  int sign;  // lgamma_r, because lgamma writes a global
  return 2 * std::exp(lgamma_r(n + 1, &sign) + lgamma_r(m + 1, &sign) - lgamma_r(n + m + 1, &sign));
}

std::vector<VariantChange> by_variant(const std::vector<ComparedCell>& cells) {
  std::vector<VariantChange> all;
  std::map<std::string, std::pair<double, int>> logarithms;
  for (const ComparedCell& cell : cells) {
    auto found = std::ranges::find(all, cell.a->variant, &VariantChange::variant);
    if (found == all.end()) found = all.insert(all.end(), VariantChange{cell.a->variant});
    ++found->counts[static_cast<int>(cell.change)];
    if (cell.ratio.value <= 0) continue;
    auto& [sum, count] = logarithms[cell.a->variant];
    sum += std::log(cell.ratio.value);
    found->geometric_mean = std::exp(sum / ++count);
  }
  return all;
}

}  // namespace

int RunComparison::count(Change change) const {
  return static_cast<int>(std::ranges::count(cells, change, &ComparedCell::change));
}

int RunComparison::count_broken() const {
  return static_cast<int>(std::ranges::count(uncompared, true, &UncomparedCell::broken));
}

std::string cell_name(const CaseRecord& record) { return record.id.substr(record.id.find('/') + 1); }

bool is_timed(const CaseRecord& record) { return !record.samples_ms.empty() && !info(record.status).fails; }

bool shows_sameness(const Summary& a, const Summary& b) { return a.interval && b.interval; }

Ratio cautious_ratio(std::span<const double> a, std::span<const double> b, size_t cells, double error_rate) {
  const double share = error_rate / static_cast<double>(std::max<size_t>(1, cells));
  // Each of the two intervals may miss its median: together they use up the share of this cell.
  Summary sa = summarize_at(a, share / 2), sb = summarize_at(b, share / 2);
  if ((!sa.interval || !sb.interval) && chance_of_separation(sa.n, sb.n) <= share) {
    sa.interval = {sa.min, sa.max};
    sb.interval = {sb.min, sb.max};
  }
  cover_parts(a, sa);
  cover_parts(b, sb);
  return unpaired_ratio(sa, sb);
}

ComparedCell compare_samples(std::span<const double> a, std::span<const double> b, size_t cells,
                             const CompareRule& rule) {
  ComparedCell cell;
  const Summary sa = summarize(a), sb = summarize(b);
  cell.ratio = cautious_ratio(a, b, cells, rule.error_rate);
  if (!cell.ratio.interval) {
    cell.why = fmt::format("{} and {} samples are too few to compare {}", sa.n, sb.n,
                           counted(static_cast<int64_t>(cells), "cell"));
    return cell;
  }
  const Interval interval = *cell.ratio.interval;
  const double slower = 1 + rule.minimum_effect, faster = 1 / slower, fastest = sb.min / sa.min;
  const bool is_close = interval.low > faster && interval.high < slower;
  if (is_close && !shows_sameness(sa, sb))
    cell.why = fmt::format("{} and {} samples are too few to say SAME", sa.n, sb.n);
  else if (is_close)
    cell.change = Change::SAME;
  else if (interval.high < faster && fastest < faster)
    cell.change = Change::FASTER;
  else if (interval.low > slower && fastest > slower)
    cell.change = Change::SLOWER;
  else if (interval.high < faster || interval.low > slower)
    cell.why = "the medians differ, the fastest samples do not: was the machine busy?";
  else
    cell.why = "the interval is too wide";
  return cell;
}

RunComparison compare_runs(const RunRecord& a, const RunRecord& b, const CompareRule& rule) {
  RunComparison result;
  result.rule = rule;
  std::map<std::string, const CaseRecord*> in_b;
  for (const CaseRecord& record : b.cases) in_b[cell_name(record)] = &record;
  std::vector<std::pair<const CaseRecord*, const CaseRecord*>> pairs;
  for (const CaseRecord& record : a.cases) {
    const auto found = in_b.find(cell_name(record));
    if (found == in_b.end()) {
      result.uncompared.push_back({cell_name(record), "only in A"});
      continue;
    }
    const CaseRecord& other = *found->second;
    in_b.erase(found);
    if (record.dtype != other.dtype || record.threads != other.threads || record.parameters != other.parameters)
      result.uncompared.push_back({cell_name(record), "another problem in B"});
    else if (is_timed(record) && is_timed(other))
      pairs.emplace_back(&record, &other);
    else
      result.uncompared.push_back({cell_name(record), fmt::format("A: {}, B: {}", state_of(record), state_of(other)),
                                   !info(record.status).fails && record.status != Status::SKIPPED &&
                                       record.status != Status::CANCELLED && info(other.status).fails});
  }
  for (const CaseRecord& record : b.cases)
    if (in_b.count(cell_name(record))) result.uncompared.push_back({cell_name(record), "only in B"});
  for (const auto& [one, other] : pairs) {
    ComparedCell cell = compare_samples(one->samples_ms, other->samples_ms, pairs.size(), rule);
    cell.a = one;
    cell.b = other;
    // An unstable or throttled time decides nothing.
    for (const CaseRecord* record : {one, other})
      if (record->status != Status::PASSED) {
        cell.change = Change::UNDECIDED;
        cell.why = fmt::format("{} is {}", record == one ? "A" : "B", to_string(record->status));
      }
    // A busy machine changes times on the CPU.
    const bool changed = cell.change == Change::FASTER || cell.change == Change::SLOWER;
    if (changed && one->device == Device::cpu && (began_busy(a) || began_busy(b))) {
      cell.change = Change::UNDECIDED;
      cell.why = fmt::format("the machine of {} was busy", began_busy(a) ? "A" : "B");
    }
    result.cells.push_back(std::move(cell));
  }
  result.variants = by_variant(result.cells);
  result.differences = differences(a, b);
  return result;
}

}  // namespace harness
