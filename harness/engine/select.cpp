#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "harness/base/text.h"
#include "harness/engine/run.h"

namespace harness {
namespace {

int64_t buffer_bytes(const Problem& problem) {
  int64_t bytes = 0;
  for (const BufferSpec& spec : problem.buffers()) bytes += spec.bytes(problem.dtype());
  return bytes;
}

// Of the problems that a target is loaded with.
int64_t largest_bytes(const Context& context, const Case& c, const VariantInfo& variant) {
  if (!context.emulates(variant)) return buffer_bytes(*c.problem);
  int64_t bytes = 0;
  auto problems = context.kernel->check_problems(c.dtype, c.macros, {});
  problems.push_back(context.kernel->typical(c.dtype, c.macros));
  for (const ProblemPtr& problem : problems)
    if (problem) bytes = std::max(bytes, buffer_bytes(*problem));
  return bytes;
}

const VariantInfo* find_variant(const Context& context, const std::string& name) {
  for (const VariantInfo& v : context.variants)
    if (v.name == name) return &v;
  return nullptr;
}

// On the host: pristine data, the variant's private copy, the output that comes back.
std::optional<std::string> too_large(const Context& context, const Case& c, bool gpu) {
  const double bytes = static_cast<double>(buffer_bytes(*c.problem));
  const double host = 2 * bytes, host_has = static_cast<double>(context.machine.available_bytes);
  if (host > 0.9 * host_has)
    return fmt::format("{} needs {} of memory ({} of matrices), this machine has {} available",
                       to_string(c.axes), human_bytes(host), human_bytes(bytes), human_bytes(host_has));
  if (gpu && context.gpu && bytes > 0.9 * static_cast<double>(context.gpu->memory_bytes))
    return fmt::format("{} needs {} of GPU memory, {} has {}", to_string(c.axes), human_bytes(bytes),
                       context.gpu->name, human_bytes(static_cast<double>(context.gpu->memory_bytes)));
  return std::nullopt;
}

struct Reason {
  std::string text;
  bool memory = false;
};

std::optional<Reason> skip_reason(const Context& context, const Case& c, const VariantInfo& variant) {
  if (!variant.defect.empty()) return std::nullopt;  // told as a compile error, GPU or not
  if (c.skip) return Reason{*c.skip};
  const bool emulated = context.emulates(variant);
  const bool runs = !context.only_builds(variant);
  if (variant.gpu && !context.gpu && !emulated && runs) return Reason{"no GPU was found on this machine"};
  const Toolchain& toolchain = context.toolchain(variant);
  if (auto why = toolchain.unable(context.machine)) return Reason{*why};
  // An unknown need is a mistake in the source: the build reports it.
  if (auto wanted = find_needs(variant.needs)) {
    for (const Need* need : *wanted)
      if (auto why = toolchain.lacks(need->name)) return Reason{*why};
    std::erase_if(*wanted, [&](const Need* need) { return toolchain.provides(need->name); });
    if (auto why = first_missing(*wanted, context.machine)) return Reason{*why};
  }
  // Emulated, it runs on the check's shapes, whatever the size of the case.
  if (emulated || !runs) return std::nullopt;
  if (c.threads > context.machine.cpu.cores)
    return Reason{fmt::format("needs {} cores, this machine has {}", c.threads, context.machine.cpu.cores)};
  if (auto why = too_large(context, c, variant.gpu)) return Reason{*why, true};
  return std::nullopt;
}

Target* target_for(Context& context, const Case& c, const VariantInfo& variant) {
  for (const auto& t : context.targets)
    if (t->variant == &variant && t->macros == c.macros && t->dtype == c.dtype && t->threads == c.threads)
      return t.get();
  auto target = std::make_unique<Target>();
  target->variant = &variant;
  target->macros = c.macros;
  target->dtype = c.dtype;
  target->threads = c.threads;
  context.targets.push_back(std::move(target));
  return context.targets.back().get();
}

}  // namespace

Done select_cases(Context& context) {
  std::string memory_reason;
  bool any_fits = false;
  for (const Case& c : context.plan.cases) {
    CaseState state;
    state.plan = &c;
    CaseRecord& r = state.record;
    r.id = c.id;
    r.sweep = c.sweep;
    r.variant = c.variant;
    r.dtype = c.dtype;
    r.axes = c.axes;
    r.threads = c.threads;
    r.order = static_cast<int>(context.cases.size());
    if (c.problem) {
      r.parameters = c.problem->parameters();
      r.label = c.problem->label();
      r.flops = c.problem->flops();
      r.bytes = c.problem->bytes();
    }
    const VariantInfo* variant = find_variant(context, c.variant);
    if (!variant) return Error{fmt::format("no variant \"{}\"", c.variant), ExitCode::machine};
    r.device = context.emulates(*variant) ? Device::emulated : variant->gpu ? Device::gpu : Device::cpu;
    if (variant->gpu && context.gpu) r.gpu = context.gpu->uuid;
    if (const auto reason = skip_reason(context, c, *variant)) {
      state.evidence.cannot_run = reason->text;
      state.conclude();
      if (reason->memory) memory_reason = reason->text;
    } else {
      any_fits = true;
      state.target = target_for(context, c, *variant);
      state.target->largest_bytes =
          std::max(state.target->largest_bytes, largest_bytes(context, c, *variant));
    }
    context.cases.push_back(std::move(state));
  }
  if (!any_fits && !memory_reason.empty()) return Error{memory_reason + "; choose smaller sizes with --set"};
  return ok();
}

}  // namespace harness
