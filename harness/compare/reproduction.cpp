#include "harness/compare/reproduction.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "harness/base/text.h"
#include "harness/compare/compare_runs.h"
#include "harness/compare/contradiction.h"

namespace harness {
namespace {

bool did_not_run(Status status) { return status == Status::SKIPPED || status == Status::CANCELLED; }

// Cases that a report puts side by side: variants and builds for one problem.
bool side_by_side(const CaseRecord& a, const CaseRecord& b) {
  return a.sweep == b.sweep && a.dtype == b.dtype && a.parameters == b.parameters;
}

const GpuInfo* gpu_of(const RunRecord& run, const CaseRecord& record) {
  for (const GpuInfo& gpu : run.machine.gpus)
    if (gpu.uuid == record.gpu) return &gpu;
  return nullptr;
}

// What a case computes, and where. Another machine may have another number of cores, and so of threads.
std::vector<std::string> what_it_is(const CaseRecord& record, bool same_machine) {
  return {record.label, std::string(to_string(record.dtype)), to_string(record.axes), same_machine ? counted(record.threads, "thread") : "",
          record.device == Device::cpu ? "on the CPU" : "on a GPU"};
}

// The same machine is rarely busier by more than this factor in one of two runs and for one case only.
constexpr double busy_machine = 2;

// The kinds of difference that explain another time, likeliest first.
std::string likely_cause(const std::vector<Difference>& differences, const std::string& variant) {
  using enum Difference::Kind;
  for (const Difference::Kind kind : {source, flags, compiler, library, machine, clocks, system, harness, config})
    for (const Difference& d : differences) {
      // Some belong to one variant: "flags of cpu_avx".
      const bool of_variant = kind == source || kind == flags || kind == library;
      if (d.kind == kind && (!of_variant || d.what.ends_with(" of " + variant) || d.what.starts_with(source_file)))
        return fmt::format("likely the {}: {}, {} / {}", to_string(kind), d.what, printable(d.a, 80), printable(d.b, 80));
    }
  return "no difference between the machines was recorded: was one of them busy?";
}

enum class Words { compare, ignore };

// The advice of the emulated device rests on counts, which are the same in each run. Another version may say it in other words.
std::optional<std::string> other_diagnostics(const CaseRecord& record, const CaseRecord& again, Words words) {
  const auto shown = [&](const CaseRecord& of) {
    std::set<std::string> all;
    for (const Diagnostic& d : of.diagnostics)
      all.insert((d.file.empty() ? d.kind : fmt::format("{} at {}:{}", d.kind, d.file, d.line)) +
                 (words == Words::compare && d.severity == Severity::advice ? ": " + d.what : ""));
    return all;
  };
  const std::set<std::string> then = shown(record), now = shown(again);
  for (const std::string& one : now)
    if (!then.contains(one)) return fmt::format("this run finds {}, which the original does not have", printable(one, 300));
  for (const std::string& one : then)
    if (!now.contains(one)) return fmt::format("the original has {}, which this run does not find", printable(one, 300));
  return std::nullopt;
}

class Reproducer {
 public:
  Reproducer(const RunRecord& original, const RunRecord& again, const ReproduceRule& rule)
      : original_(original), again_(again) {
    result_.rule = rule;
    same_version_ = original.run.harness.commit == again.run.harness.commit;
    result_.differences = differences(original, again);
    scatter_ = scatter_between_runs({&original, 1}, {&again, 1});
    for (const CaseRecord& record : again.cases) here_[cell_name(record)] = &record;
  }

  Reproduction run() && {
    for (const CaseRecord& record : original_.cases)
      if (!did_not_run(record.status)) result_.cells.push_back(cell_of(record));
    return std::move(result_);
  }

 private:
  const CaseRecord* here(const CaseRecord& record) const {
    const auto found = here_.find(cell_name(record));
    return found == here_.end() ? nullptr : found->second;
  }

  Ratio ratio(const CaseRecord& a, const CaseRecord& b) const {
    return cautious_ratio(timing_of(a), timing_of(b), original_.cases.size(), result_.rule.error_rate);
  }

  void count_orders(ReproducedCell& cell) const {
    for (const CaseRecord& other : original_.cases) {
      const CaseRecord* other_here = here(other);
      if (&other == cell.original || !side_by_side(other, *cell.original) || !is_timed(other) || !other_here ||
          !is_timed(*other_here))
        continue;
      const Ratio then = ratio(*cell.original, other);
      if (!then.interval || then.equal()) continue;
      const Ratio now = ratio(*cell.again, *other_here);
      if (!now.interval || now.equal()) continue;
      ++cell.orders;
      cell.orders_held += (then.value > 1) == (now.value > 1);
    }
  }

  ReproducedCell cell_of(const CaseRecord& record) const {
    ReproducedCell cell;
    cell.original = &record;
    cell.again = here(record);
    const auto end = [&](Outcome outcome, const std::string& why) {
      cell.outcome = outcome;
      cell.why = why;
      return cell;
    };
    if (!cell.again) return end(Outcome::NOT_RUN, "no such case in the config that was run");
    const CaseRecord& again = *cell.again;
    const bool same_class = same_machine_class(original_, again_, record);
    const std::vector<std::string> then = what_it_is(record, same_class), now = what_it_is(again, same_class);
    if (const auto [a, b] = std::ranges::mismatch(then, now); a != then.end())
      return end(Outcome::DIFFERENT, fmt::format("the original says {}, and this case is {}", *a, *b));
    if (did_not_run(again.status)) return end(Outcome::NOT_RUN, again.reason);
    if (again.status == Status::COMPILE_ERROR && record.status != Status::COMPILE_ERROR)
      return end(Outcome::NOT_RUN, "it does not compile here: " + again.reason);
    if (const auto why = contradiction(original_, record, again)) return end(Outcome::DIFFERENT, *why);
    if (record.device == Device::emulated && again.device == Device::emulated)
      if (const auto why = other_diagnostics(record, again, same_version_ ? Words::compare : Words::ignore)) return end(Outcome::DIFFERENT, *why);
    if (!is_timed(record) || !is_timed(again)) {
      if (record.status == again.status) return end(Outcome::REPRODUCED, fmt::format("{} again", to_string(record.status)));
      return end(Outcome::DIFFERENT, fmt::format("{} in the original, {} here{}", to_string(record.status),
                                                 to_string(again.status), again.reason.empty() ? "" : ": " + again.reason));
    }
    cell.ratio = ratio(record, again);
    count_orders(cell);
    const double most = 1 + smallest_effect(timing_of(record), timing_of(again), result_.rule.tolerance);
    const std::optional<Interval>& interval = cell.ratio.interval;
    const bool within = interval && interval->low >= 1 / most && interval->high <= most;
    const double far = record.device == Device::cpu ? std::max(most, scatter_) : most;
    const bool outside = interval && (interval->high < 1 / far || interval->low > far);
    const bool far_off = interval && (interval->high < 1 / busy_machine || interval->low > busy_machine);
    const bool enough = shows_sameness(summarize(record.samples_ms), summarize(again.samples_ms));
    if (same_class && within && enough && record.status == again.status) return end(Outcome::REPRODUCED, "");
    const std::string held = fmt::format("{} of {} in the order of the original", cell.orders_held, cell.orders);
    if (cell.orders > 0 && cell.orders_held == cell.orders && !(same_class && far_off)) return end(Outcome::ORDER_HOLDS, held);
    if (cell.orders == 0 && !same_class)
      return end(Outcome::NOT_RUN, "another machine, and the original tells this case apart from no other");
    if (cell.orders == 0 && !outside)
      return end(Outcome::UNDECIDED, record.status == again.status
                                         ? "the times scatter too much to say"
                                         : fmt::format("{} in the original, {} here", to_string(record.status),
                                                       to_string(again.status)));
    return end(Outcome::DIFFERENT, (cell.orders ? held + "; " : "") + likely_cause(result_.differences, record.variant));
  }

  const RunRecord &original_, &again_;
  std::map<std::string, const CaseRecord*> here_;
  Reproduction result_;
  double scatter_ = 1;
  bool same_version_ = false;
};

}  // namespace

int Reproduction::count(Outcome outcome) const {
  return static_cast<int>(std::ranges::count(cells, outcome, &ReproducedCell::outcome));
}

bool same_machine_class(const RunRecord& a, const RunRecord& b, const CaseRecord& record) {
  if (record.device == Device::emulated) return true;
  if (record.device == Device::cpu) return a.machine.cpu.model == b.machine.cpu.model && a.machine.cpu.cores == b.machine.cpu.cores;
  const GpuInfo* gpu = gpu_of(a, record);
  return gpu && std::ranges::any_of(b.machine.gpus, [&](const GpuInfo& other) { return other.name == gpu->name; });
}

Reproduction reproduce_cells(const RunRecord& original, const RunRecord& again, const ReproduceRule& rule) {
  return Reproducer(original, again, rule).run();
}

}  // namespace harness
