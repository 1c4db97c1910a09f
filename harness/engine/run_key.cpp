#include <fmt/format.h>

#include "harness/base/hash.h"
#include "harness/base/text.h"
#include "harness/config/shown.h"
#include "harness/engine/run.h"

namespace harness {
namespace {

// Raised when the way of measuring changes, so that old samples no longer stand for new ones.
constexpr int measuring_version = 3;

}  // namespace

bool shows_first_call(const Config& config, const Case& planned) {
  return shows(config, planned.sweep, planned.variant, MetricName::first_call_ms);
}

std::string run_key(const Context& context, const CaseState& state) {
  const Case& c = *state.plan;
  const MeasurePolicy& p = context.config.measure;
  const auto blob = c.problem->blob();
  Hash hash;
  hash.add(fmt::format("{}", measuring_version)).add(state.target->build.key).add(context.kernel->name());
  hash.add(to_string(c.dtype)).add({reinterpret_cast<const char*>(blob.data()), blob.size()});
  hash.add(fmt::format("{} {} {} {} {} {} {}", c.threads, p.precision, p.max_time_s, p.min_batch_ms,
                       p.min_samples, p.max_samples, static_cast<int>(p.gpu_cache)));
  hash.add(context.sandbox->identity()).add(join(context.config.forbid, " "));
  if (shows_first_call(context.config, c)) hash.add("first call");
  if (context.emulates(*state.target->variant))
    hash.add("emulated").add(emulated_options(context.options->device));
  else if (context.only_builds(*state.target->variant))
    hash.add("only built");
  else if (state.target->variant->gpu)
    hash.add(context.gpu->uuid).add(context.gpu->driver);
  else
    hash.add(context.machine.cpu.model).add(fmt::format("{}", context.machine.cpu.cores));
  return hash.hex().substr(0, 32);
}

}  // namespace harness
