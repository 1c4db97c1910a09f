#include "harness/cli/sample_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/base/language.h"
#include "harness/base/text.h"

namespace harness {
namespace {

// One column per value, in eighths of a line from 0 to `top`. A value above 0 is never invisible.
std::string bars(std::span<const double> values, double bottom, double top) {
  constexpr const char* levels[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  std::string text;
  for (const double value : values) {
    const double share = top > bottom ? (value - bottom) / (top - bottom) : 1;
    text += levels[value > 0 ? std::clamp(static_cast<int>(std::lround(share * 8)), 1, 8) : 0];
  }
  return text;
}

std::string ms(double value) { return human_time(value * 1e-3); }

}  // namespace

std::string sample_plot(std::span<const double> samples_ms, const Summary& summary, int columns) {
  std::vector<double> usable;
  std::ranges::copy_if(samples_ms, std::back_inserter(usable), [](double x) { return std::isfinite(x) && x > 0; });
  if (usable.empty()) return "  " + tr("no samples") + "\n";
  const auto width = static_cast<size_t>(columns);
  const size_t shown = std::min(usable.size(), width);
  std::vector<double> slowest(shown, 0), counts(width, 0);
  for (size_t i = 0; i < usable.size(); ++i)
    slowest[i * shown / usable.size()] = std::max(slowest[i * shown / usable.size()], usable[i]);
  // A single slow sample must not flatten the others.
  const double top = std::min(summary.max, 2 * summary.median), range = top - summary.min;
  const auto column_of = [&](double value) {
    const double share = range > 0 ? std::clamp((value - summary.min) / range, 0.0, 1.0) : 0;
    return std::min(width - 1, static_cast<size_t>(share * columns));
  };
  for (const double value : usable) ++counts[column_of(value)];

  const bool cut = top < summary.max;
  std::string text = fmt::format("  {:<10}{}  {}{}\n", tr("in order"), bars(slowest, 0, top), tr("from 0 to {}", ms(top)),
                                 cut ? tr(", the slowest {}", ms(summary.max)) : "");
  text += fmt::format("  {:<10}{}  {}\n", tr("by time"), bars(counts, 0, *std::ranges::max_element(counts)),
                      cut ? tr("{} to {} or more", ms(summary.min), ms(top)) : tr("{} to {}", ms(summary.min), ms(top)));
  std::string marks(width, ' ');
  if (summary.interval) {
    for (size_t i = column_of(summary.interval->low); i <= column_of(summary.interval->high); ++i) marks[i] = '-';
    marks[column_of(summary.interval->low)] = '[';
    marks[column_of(summary.interval->high)] = ']';
  }
  marks[column_of(summary.median)] = '|';
  return text + "            " + std::string(marks.begin(), marks.begin() + static_cast<ptrdiff_t>(marks.find_last_not_of(' ') + 1)) +
         "  " + (summary.interval ? tr("median and its 95 % interval") : tr("median")) + "\n";
}

}  // namespace harness
