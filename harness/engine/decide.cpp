#include "harness/engine/decide.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/base/text.h"

namespace harness {
namespace {

// The harness ranks times that differ by some percent. Order statistics of fewer than 10 samples give nearly the whole
// range as the 95 % interval, which says little about the times; the report then shows n instead of an interval.
constexpr int enough_samples = 10;
constexpr double stable_half_width = 0.05;

// Who asks for less precision gets times that are compared with less.
double compared_up_to(const Evidence::Spread& spread) { return std::max(stable_half_width, spread.precision); }

bool unstable(const Evidence::Spread& spread) {
  return spread.samples >= enough_samples && spread.relative_half_width > compared_up_to(spread);
}

}  // namespace

Verdict decide(const Evidence& e) {
  if (e.build_error) return {Status::COMPILE_ERROR, *e.build_error};
  if (e.cannot_run) return {Status::SKIPPED, *e.cannot_run};
  const bool of_variant = e.failure && e.failure->whose == Failure::Whose::variant;
  if (of_variant && e.failure->status != Status::CANCELLED) return {e.failure->status, e.failure->message};
  if (!e.finished) return {Status::CANCELLED, "the run was interrupted before this case"};
  if (e.beaten)
    return {Status::SUSPECT,
            fmt::format("{} is faster than this machine's measured limit {} allows ({})",
                        human_time(e.beaten->time_ms * 1e-3), e.beaten->limit, human_time(e.beaten->least_ms * 1e-3))};
  if (e.spread && unstable(*e.spread))
    return {Status::UNSTABLE,
            fmt::format("the 95 % interval of the median is ±{:.1f} % after {} samples; times are compared up to ±{:g} %",
                        e.spread->relative_half_width * 100, e.spread->samples, compared_up_to(*e.spread) * 100)};
  if (e.throttled) return {Status::THROTTLED, "the GPU lowered its clocks while this group was timed: " + *e.throttled};
  return {Status::PASSED, ""};
}

}  // namespace harness
