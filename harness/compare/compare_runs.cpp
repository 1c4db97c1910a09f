#include "harness/compare/compare_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "harness/base/text.h"
#include "harness/machine/noise.h"

namespace harness {
namespace {

std::string state_of(const CaseRecord& record) {
  if (record.status != Status::PASSED || !record.samples_ms.empty()) return std::string(to_string(record.status));
  return record.device == Device::emulated ? "not timed on the emulated device" : "no samples";
}

std::vector<double> all_samples(const Timing& timing) {
  std::vector<double> all;
  for (const auto& samples : timing.runs) all.insert(all.end(), samples.begin(), samples.end());
  return all;
}

// Samples that follow each other are alike: a machine is slow for a while. So the interval also covers the medians of all
// runs, or of four consecutive parts of the only run.
void cover_parts(const Timing& timing, Summary& summary) {
  constexpr size_t parts = 4, fewest = 5;
  if (!summary.interval) return;
  auto all = timing.runs;
  if (all.size() == 1) {
    const auto samples = all.front();
    if (samples.size() < parts * fewest) return;
    all.clear();
    for (size_t i = 0; i < parts; ++i) {
      const size_t begin = i * samples.size() / parts;
      all.push_back(samples.subspan(begin, (i + 1) * samples.size() / parts - begin));
    }
  }
  for (const auto& part : all) {
    const double median = summarize(part).median;
    summary.interval = {std::min(summary.interval->low, median), std::max(summary.interval->high, median)};
  }
}

bool began_busy(std::span<const RunRecord> side) {
  return std::ranges::any_of(side, [](const RunRecord& run) {
    return run.noise.before && busy_machine(*run.noise.before, run.machine.cpu.cores);
  });
}

// The probability that all samples of one list lie beyond all of the other, if both come from the same distribution.
double chance_of_separation(int n, int m) {
  int sign;  // lgamma_r, because lgamma writes a global
  return 2 * std::exp(lgamma_r(n + 1, &sign) + lgamma_r(m + 1, &sign) - lgamma_r(n + m + 1, &sign));
}

using Records = std::vector<const CaseRecord*>;

// The records of each case in all runs of a side, in the order of its first run.
std::vector<std::pair<std::string, Records>> by_name(std::span<const RunRecord> side) {
  std::vector<std::pair<std::string, Records>> all;
  std::map<std::string, size_t> index;
  for (const RunRecord& run : side)
    for (const CaseRecord& record : run.cases) {
      const std::string name = cell_name(record);
      const auto [at, is_new] = index.try_emplace(name, all.size());
      if (is_new) all.emplace_back(name, Records{});
      all[at->second].second.push_back(&record);
    }
  return all;
}

// A record without a usable time, if there is one.
const CaseRecord& worst(const Records& records) {
  const auto found = std::ranges::find_if(records, [](const CaseRecord* record) { return !is_timed(*record); });
  return found == records.end() ? *records.front() : **found;
}

Timing timing(const Records& records) {
  Timing all;
  for (const CaseRecord* record : records) {
    all.runs.emplace_back(record->samples_ms);
    all.overhead_spread_ms = std::max(all.overhead_spread_ms, record->overhead_spread_ms.value_or(0));
    if (record->device == Device::gpu) all.resolution_ms = gpu_resolution_ms;
  }
  return all;
}

// A time of lowered clocks decides nothing. The samples of several runs show together how stable they are.
bool decides_nothing(const CaseRecord& record, size_t runs) {
  return record.status != Status::PASSED && !(record.status == Status::UNSTABLE && runs >= enough_runs);
}

// A run reuses what the store knows, and a person can name a run twice: the same samples are no second measurement.
bool same_samples(const CaseRecord* a, const CaseRecord* b) { return a->samples_ms == b->samples_ms; }

bool has_samples_twice(const Records& records) {
  for (size_t i = 0; i < records.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (same_samples(records[i], records[j])) return true;
  return false;
}

bool share_samples(const Records& a, const Records& b) {
  return std::ranges::any_of(a, [&](const CaseRecord* record) {
    return std::ranges::any_of(b, [&](const CaseRecord* other) { return same_samples(record, other); });
  });
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

std::string cell_name(const CaseRecord& record) { return cell_name(record.id); }

std::string cell_name(const std::string& id) { return id.substr(id.find('/') + 1); }

bool is_timed(const CaseRecord& record) { return !record.samples_ms.empty() && !info(record.status).fails; }

double scatter_between_runs(std::span<const RunRecord> a, std::span<const RunRecord> b) {
  constexpr size_t one_in = 20;
  if (std::min(a.size(), b.size()) >= enough_runs) return 1;
  std::vector<double> scatters;
  for (const auto& side : {a, b})
    for (const RunRecord& run : side)
      for (const CaseRecord& record : run.cases) {
        if (record.device != Device::cpu || !is_timed(record)) continue;
        std::vector<double> samples = record.samples_ms;
        std::ranges::sort(samples);
        const size_t tail = samples.size() / one_in;
        if (samples[tail] > 0) scatters.push_back(samples[samples.size() - 1 - tail] / samples[tail]);
      }
  if (scatters.empty()) return 1;
  std::ranges::sort(scatters);
  return scatters[scatters.size() - 1 - scatters.size() / one_in];
}

bool shows_sameness(const Summary& a, const Summary& b) { return a.interval && b.interval; }

Timing timing_of(const CaseRecord& record) { return timing({&record}); }

Ratio cautious_ratio(const Timing& a, const Timing& b, size_t cells, double error_rate) {
  const double share = error_rate / static_cast<double>(std::max<size_t>(1, cells));
  // Each of the two intervals may miss its median: together they use up the share of this cell.
  Summary sa = summarize(all_samples(a), share / 2), sb = summarize(all_samples(b), share / 2);
  if ((!sa.interval || !sb.interval) && chance_of_separation(sa.n, sb.n) <= share) {
    sa.interval = {sa.min, sa.max};
    sb.interval = {sb.min, sb.max};
  }
  cover_parts(a, sa);
  cover_parts(b, sb);
  return unpaired_ratio(with_overhead(sa, a.overhead_spread_ms), with_overhead(sb, b.overhead_spread_ms));
}

double smallest_effect(const Timing& a, const Timing& b, double stated) {
  const double shorter = std::min(summarize(all_samples(a)).median, summarize(all_samples(b)).median);
  return shorter > 0 ? std::max(stated, std::max(a.resolution_ms, b.resolution_ms) / shorter) : stated;
}

ComparedCell compare_samples(const Timing& a, const Timing& b, size_t cells, const CompareRule& rule) {
  ComparedCell cell;
  const Summary sa = summarize(all_samples(a)), sb = summarize(all_samples(b));
  cell.a_ms = sa.median;
  cell.b_ms = sb.median;
  cell.ratio = cautious_ratio(a, b, cells, rule.error_rate);
  cell.minimum_effect = smallest_effect(a, b, rule.minimum_effect);
  if (!cell.ratio.interval) {
    cell.why = fmt::format("{} and {} samples are too few to compare {}", sa.n, sb.n,
                           counted(static_cast<int64_t>(cells), "cell"));
    return cell;
  }
  const Interval interval = *cell.ratio.interval;
  const double slower = 1 + cell.minimum_effect, faster = 1 / slower, fastest = sb.min / sa.min;
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

RunComparison compare_runs(std::span<const RunRecord> a, std::span<const RunRecord> b, const CompareRule& rule) {
  RunComparison result;
  result.rule = rule;
  result.scatter = scatter_between_runs(a, b);
  std::map<std::string, Records> in_b;
  for (const auto& [name, records] : by_name(b)) in_b[name] = records;
  struct Pair {
    Records a, b;
  };
  std::vector<Pair> pairs;
  for (const auto& [name, of_a] : by_name(a)) {
    const auto found = in_b.find(name);
    if (found == in_b.end()) {
      result.uncompared.push_back({name, "only in A"});
      continue;
    }
    const Records of_b = found->second;
    in_b.erase(found);
    const CaseRecord& record = *of_a.front();
    const auto other_problem = [&](const CaseRecord* other) {
      return record.dtype != other->dtype || record.threads != other->threads || record.parameters != other->parameters;
    };
    const CaseRecord &worst_a = worst(of_a), &worst_b = worst(of_b);
    if (std::ranges::any_of(of_a, other_problem) || std::ranges::any_of(of_b, other_problem))
      result.uncompared.push_back({name, "another problem in B"});
    else if (is_timed(worst_a) && is_timed(worst_b))
      pairs.push_back({of_a, of_b});
    else
      result.uncompared.push_back({name, fmt::format("A: {}, B: {}", state_of(worst_a), state_of(worst_b)),
                                   !info(worst_a.status).fails && worst_a.status != Status::SKIPPED &&
                                       worst_a.status != Status::CANCELLED && info(worst_b.status).fails});
  }
  for (const auto& [name, records] : by_name(b))
    if (in_b.count(name)) result.uncompared.push_back({name, "only in B"});
  for (const Pair& pair : pairs) {
    ComparedCell cell = compare_samples(timing(pair.a), timing(pair.b), pairs.size(), rule);
    cell.a = pair.a.front();
    cell.b = pair.b.front();
    const auto decide_nothing = [&](const std::string& why) {
      cell.change = Change::UNDECIDED;
      cell.why = why;
    };
    if (share_samples(pair.a, pair.b)) cell.why = "B has the same samples as A: make its run with --fresh";
    for (const Records& records : {pair.a, pair.b}) {
      const char* side = records == pair.a ? "A" : "B";
      if (has_samples_twice(records))
        decide_nothing(fmt::format("two runs of {} have the same samples: make each run with --fresh", side));
      for (const CaseRecord* record : records)
        if (decides_nothing(*record, records.size()))
          decide_nothing(fmt::format("{} is {}", side, to_string(record->status)));
    }
    const bool changed = cell.change == Change::FASTER || cell.change == Change::SLOWER;
    if (changed && cell.a->device == Device::cpu) {
      const double factor = std::max(cell.ratio.interval->low, 1 / cell.ratio.interval->high);
      if (began_busy(a) || began_busy(b))
        decide_nothing(fmt::format("the machine of {} was busy", began_busy(a) ? "A" : "B"));
      else if (factor < result.scatter)
        decide_nothing(fmt::format("other cases scatter by a factor of {:.2f}: compare {} runs with {}", result.scatter,
                                   enough_runs, enough_runs));
    }
    result.cells.push_back(std::move(cell));
  }
  result.variants = by_variant(result.cells);
  result.differences = differences(a.front(), b.front());
  return result;
}

}  // namespace harness
