#include <fmt/format.h>

#include <algorithm>

#include "harness/base/text.h"
#include "harness/engine/cases.h"
#include "harness/engine/check_case.h"
#include "harness/sanitize/sanitize.h"

namespace harness {
namespace {

// Of the problems that the worker of this case loads. The emulated device runs the problems of the check, and a
// small one of the case.
int64_t largest_bytes(const PlacedLab& lab, const Case& c, const VariantInfo& variant) {
  if (!lab.emulates(variant)) return c.problem->buffer_bytes();
  int64_t bytes = 0;
  auto problems = lab.kernel->check_problems(c.dtype, c.macros, {});
  for (const ProblemPtr& problem : lab.kernel->typical(c.dtype, c.macros)) problems.push_back(problem);
  problems.push_back(emulated_problem(lab, c.problem));
  for (const ProblemPtr& problem : problems)
    if (problem) bytes = std::max(bytes, problem->buffer_bytes());
  return bytes;
}

std::optional<std::string> too_large(const PlacedLab& lab, const Case& c, bool gpu) {
  // The host holds the inputs, the variant's private copy, and the output that comes back.
  const double bytes = static_cast<double>(c.problem->buffer_bytes());
  const double host = 2 * bytes, host_has = static_cast<double>(lab.machine.available_bytes);
  if (host > 0.9 * host_has)
    return fmt::format("{} needs {} of memory ({} of matrices), this machine has {} available", to_string(c.axes),
                       human_bytes(host), human_bytes(bytes), human_bytes(host_has));
  if (gpu && lab.gpu && bytes > 0.9 * static_cast<double>(lab.gpu->memory_bytes))
    return fmt::format("{} needs {} of GPU memory, {} has {}", to_string(c.axes), human_bytes(bytes), lab.gpu->name,
                       human_bytes(static_cast<double>(lab.gpu->memory_bytes)));
  return std::nullopt;
}

struct Reason {
  std::string text;
  bool memory = false;
};

std::optional<Reason> skip_reason(const PlacedLab& lab, const Case& c, const VariantInfo& variant) {
  if (!variant.defect.empty()) return std::nullopt;  // a compile error, with or without a GPU
  if (c.skip) return Reason{*c.skip};
  if (auto why = unable_to_sanitize(lab.options.sanitize, variant)) return Reason{*why};
  const bool emulated = lab.emulates(variant);
  const bool runs = !lab.only_builds(variant);
  if (variant.gpu && !lab.gpu && !emulated && runs) return Reason{"no GPU was found on this machine"};
  const Toolchain& toolchain = lab.toolchain(variant);
  if (auto why = toolchain.unable(lab.machine)) return Reason{*why};
  // An unknown need is a mistake in the source: the build reports it.
  if (auto wanted = find_needs(variant.needs)) {
    for (const Need* need : *wanted)
      if (auto why = toolchain.lacks(need->name)) return Reason{*why};
    std::erase_if(*wanted, [&](const Need* need) { return toolchain.provides(need->name); });
    if (auto why = first_missing(*wanted, lab.machine)) return Reason{*why};
  }
  // The emulated device runs the problems of the check, whatever the size of the case.
  if (emulated || !runs) return std::nullopt;
  if (c.threads > lab.machine.cpu.cores)
    return Reason{fmt::format("needs {} cores, this machine has {}", c.threads, lab.machine.cpu.cores)};
  if (auto why = too_large(lab, c, variant.gpu)) return Reason{*why, true};
  return std::nullopt;
}

Axes scalars(const Case& c) {
  Axes found;
  for (const auto& [name, value] : c.parameters)
    if (std::holds_alternative<double>(value)) found.emplace_back(name, value);
  return found;
}

Build& build_for(Cases& cases, const Case& c, const VariantInfo& variant) {
  for (const auto& b : cases.builds)
    if (b->variant == &variant && b->macros == c.macros && b->dtype == c.dtype && b->threads == c.threads) return *b;
  cases.builds.push_back(std::make_unique<Build>());
  Build& build = *cases.builds.back();
  build.variant = &variant;
  build.macros = c.macros;
  build.dtype = c.dtype;
  build.threads = c.threads;
  if (const auto known = find_precision(variant.precision, c.dtype)) build.precision = *known;
  return build;
}

CaseRecord new_record(const PlacedLab& lab, const Case& c, const VariantInfo& variant, size_t order) {
  CaseRecord r;
  r.id = c.id;
  r.sweep = c.sweep;
  r.variant = c.variant;
  r.dtype = c.dtype;
  r.axes = c.axes;
  r.threads = c.threads;
  r.order = static_cast<int>(order);
  if (c.problem) {
    r.parameters = c.problem->parameters();
    r.label = c.problem->label();
    r.flops = c.problem->flops();
    r.bytes = c.problem->bytes();
  }
  r.device = lab.device_of(variant);
  if (variant.gpu && lab.gpu) r.gpu = lab.gpu->uuid;
  if (lab.options.submission) r.owner = variant.from_submission ? "submission" : "lab";
  return r;
}

}  // namespace

void CaseState::fail(const Failure& failure) {
  evidence.failure = failure;
  evidence.finished = false;
  record.samples_ms.clear();
  record.rounds.clear();
  record.warmup_ms.clear();
  record.metrics.clear();
}

void CaseState::conclude() {
  const Verdict verdict = decide(evidence);
  record.status = verdict.status;
  record.reason = verdict.reason;
  if (evidence.build_error || evidence.failure) record.check.message = verdict.reason;
  if (verdict.status == Status::SKIPPED && evidence.failure) record.notes.push_back({NoteCode::declined});
}

size_t Cases::recorded() const {
  return static_cast<size_t>(std::ranges::count_if(all, [](const CaseState& s) { return s.recorded; }));
}

std::optional<std::string> why_not_run(const PlacedLab& lab, const Build& build) {
  if (auto why = lab.only_builds(*build.variant)) return why;
  return unable_to_sanitize(lab.options.sanitize, build.result.log);
}

bool can_run(const PlacedLab& lab, const Build& build) {
  return build.result.error.empty() && !why_not_run(lab, build);
}

bool to_time(const PlacedLab& lab, const CaseState& s) {
  return s.build && !s.recorded && !s.known && !lab.only_checks(*s.build->variant) &&
         !lab.only_builds(*s.build->variant);
}

Result<Cases> select_cases(const PlacedLab& lab) {
  Cases cases;
  std::string memory_reason;
  for (const Case& c : lab.plan.cases) {
    const auto variant = std::ranges::find_if(lab.variants, [&](const VariantInfo& v) { return v.name == c.variant; });
    if (variant == lab.variants.end()) return Error{fmt::format("no variant \"{}\"", c.variant), ExitCode::machine};
    CaseState state;
    state.plan = &c;
    state.record = new_record(lab, c, *variant, cases.all.size());
    if (const auto reason = skip_reason(lab, c, *variant)) {
      state.evidence.cannot_run = reason->text;
      state.conclude();
      if (reason->memory) memory_reason = reason->text;
    } else {
      Build& build = build_for(cases, c, *variant);
      state.build = &build;
      state.largest_bytes = largest_bytes(lab, c, *variant);
      if (const auto& grade = lab.config.grade; !grade || !grade->hides(c.variant, c.sweep, c.axes)) {
        if (build.largest_bytes == 0) build.scalars = scalars(c);
        build.largest_bytes = std::max(build.largest_bytes, state.largest_bytes);
      }
    }
    cases.all.push_back(std::move(state));
  }
  if (cases.builds.empty() && !memory_reason.empty()) return Error{memory_reason + "; choose smaller sizes with --set"};
  return cases;
}

}  // namespace harness
