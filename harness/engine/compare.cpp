#include "harness/engine/compare.h"

#include <algorithm>
#include <cmath>

#include "harness/base/text.h"
#include "harness/store/case_ratio.h"

namespace harness {
namespace {

const CaseState* find_variant(const std::string& variant, const std::vector<CaseState*>& group) {
  for (const CaseState* s : group)
    if (s->record.variant == variant && !s->record.samples_ms.empty()) return s;
  return nullptr;
}

std::string precision_of(const CaseState& s) { return s.build && s.build->variant ? s.build->variant->precision : ""; }

/// The first one of that precision: with another one a library does other work.
const CaseState* find_vendor(const std::vector<std::string>& vendors, const std::vector<CaseState*>& group,
                             const std::string& precision) {
  for (const std::string& name : vendors)
    if (const CaseState* found = find_variant(name, group); found && precision_of(*found) == precision) return found;
  return nullptr;
}

/// How many times faster than `base` the case is.
Metric ratio_over(const CaseRecord& base, const CaseRecord& mine_of, Timed timed, int comparisons) {
  const Ratio ratio = case_ratio(mine_of, base, timed, comparisons);
  Metric m;
  m.median = ratio.value;
  if (ratio.interval) {
    m.low = ratio.interval->low;
    m.high = ratio.interval->high;
  }
  m.n = ratio.paired ? ratio.rounds : static_cast<int>(std::min(mine_of.samples_ms.size(), base.samples_ms.size()));
  m.over = base.variant;
  m.paired = ratio.paired;
  m.equal = ratio.equal();
  return m;
}

bool is_comparison(MetricName name) {
  using enum MetricName;
  return name == speedup || name == speedup_total || name == speedup_recorded || name == percent_of_vendor ||
         name == efficiency;
}

}  // namespace

void forget_comparisons(CaseRecord& record) {
  std::erase_if(record.metrics, [](const auto& m) { return is_comparison(m.first); });
  std::erase_if(record.notes, [](const Note& note) {
    return note.code == NoteCode::no_recorded_time || note.code == NoteCode::efficiency_over_one;
  });
}

const Metric* total_time(const CaseRecord& record) {
  return record.find(record.device == Device::cpu ? MetricName::kernel_ms : MetricName::total_ms);
}

Metric speedup_over(const CaseRecord& base, const CaseRecord& record) {
  return ratio_over(base, record, Timed::together, 1);
}

void derive_speedups(const std::string& baseline, const std::vector<CaseState*>& group, const CaseState* elsewhere) {
  const CaseState* here = find_variant(baseline, group);
  const CaseState* base = here ? here : elsewhere;
  if (!base) return;
  for (CaseState* s : group) {
    if (s == base || s->record.samples_ms.empty()) continue;
    Metric speedup =
        ratio_over(base->record, s->record, here ? Timed::together : Timed::apart, static_cast<int>(group.size()) - 1);
    s->record.metrics.emplace_back(MetricName::speedup, std::move(speedup));  // invalidates pointers into the list
    const Metric *mine = total_time(s->record), *theirs = total_time(base->record);
    if (!mine || !theirs) continue;
    Metric total;
    total.median = theirs->median / mine->median;
    if (!std::isfinite(total.median)) continue;  // a stored time of 0
    total.n = std::min(mine->n, theirs->n);
    if (mine->low && theirs->low && *mine->low > 0) {
      total.low = *theirs->low / *mine->high;
      total.high = *theirs->high / *mine->low;
    }
    total.over = baseline;
    s->record.metrics.emplace_back(MetricName::speedup_total, total);
  }
}

void derive_vendor_share(const std::vector<std::string>& vendors, const std::vector<CaseState*>& group) {
  for (CaseState* s : group) {
    const CaseState* vendor = s->record.samples_ms.empty() ? nullptr : find_vendor(vendors, group, precision_of(*s));
    if (!vendor || vendor == s) continue;
    Metric share = ratio_over(vendor->record, s->record, Timed::together, static_cast<int>(group.size()) - 1);
    share.median *= 100;
    if (share.low) {
      *share.low *= 100;
      *share.high *= 100;
    }
    s->record.metrics.emplace_back(MetricName::percent_of_vendor, share);
  }
}

const CaseState* baseline_elsewhere(const std::string& baseline, const std::vector<CaseState>& cases,
                                    const CaseState& with) {
  const CaseState* found = nullptr;
  int best = -1;
  for (const CaseState& s : cases) {
    if (s.record.variant != baseline || !s.recorded || s.record.samples_ms.empty()) continue;
    if (!same_problem(*s.plan, *with.plan)) continue;
    const int likeness = 2 * (s.record.sweep == with.record.sweep) + (s.record.threads == with.record.threads);
    if (likeness > best) found = &s;
    best = std::max(best, likeness);
  }
  return found;
}

void derive_recorded_speedup(const RecordedTable& table, CaseRecord& record) {
  const Metric* total = total_time(record);
  const auto theirs = table.time_ms(record);
  if (!total || !theirs) return;
  Metric m;
  m.median = *theirs / total->median;
  m.n = total->n;
  // The recorded times have no interval: this one comes from our time.
  if (total->low) {
    m.low = *theirs / *total->high;
    m.high = *theirs / *total->low;
  }
  m.over = table.spec().file;
  m.source = table.spec().source;
  record.metrics.emplace_back(MetricName::speedup_recorded, m);
}

void note_missing(const RecordedTable& table, std::vector<CaseState>& cases) {
  std::map<std::string, std::pair<CaseState*, std::vector<std::string>>> missing;  // by sweep
  for (CaseState& s : cases) {
    if (!s.build || table.time_ms(s.record)) continue;
    auto& [first, points] = missing[s.record.sweep];
    if (!first) first = &s;
    const std::string point = table.point_of(s.record);
    if (!contains(points, point)) points.push_back(point);
  }
  for (auto& [sweep, found] : missing)
    found.first->record.notes.push_back(
        {NoteCode::no_recorded_time, {{"file", table.spec().file}, {"points", join(found.second, ", ")}}});
}

}  // namespace harness
