#include "harness/cli/compare_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "harness/base/language.h"
#include "harness/base/text.h"

namespace harness {
namespace {

std::string counts(const RunComparison& comparison) {
  std::vector<std::string> parts;
  for (const Change change : {Change::FASTER, Change::SLOWER, Change::SAME, Change::UNDECIDED})
    parts.push_back(fmt::format("{} {}", comparison.count(change), to_string(change)));
  return join(parts, ", ");
}

std::string rule(const RunComparison& comparison) {
  std::string text = tr(
      "ratio: time in B over time in A. A change of less than {:.3g} % counts as none, and on a GPU one of less than {}. The "
      "probability of any wrong FASTER or SLOWER is at most {:.3g} % for {}, if samples are independent.",
      100 * comparison.rule.minimum_effect, human_time(gpu_resolution_ms * 1e-3), 100 * comparison.rule.error_rate,
      tr_counted(std::ssize(comparison.cells), "cell"));
  if (comparison.scatter > 1 + comparison.rule.minimum_effect)
    text += tr(" On the CPU only a factor of {:.2f} counts, because samples of other cases scatter by that; "
                        "with {} runs on each side (A1,A2,... B1,B2,...), made in turns, smaller changes count, too.",
                        comparison.scatter, enough_runs);
  return text;
}

std::string side_line(std::span<const RunRecord> side) {
  const std::string first = run_line(side.front());
  return side.size() == 1 ? first : tr("{} runs, the first: {}", side.size(), first);
}

std::string ids(std::span<const RunRecord> side) {
  std::vector<std::string> all;
  for (const RunRecord& run : side) all.push_back(run.run.id);
  return join(all, ",");
}

// How far the plot reaches: as far as most ratios, and at least 10 %.
double widest(const RunComparison& comparison) {
  double most = 1.1;
  for (const ComparedCell& cell : comparison.cells)
    if (cell.ratio.value > 0) most = std::max({most, cell.ratio.value, 1 / cell.ratio.value});
  return std::min(most * 1.1, 16.0);
}

}  // namespace

std::string run_line(const RunRecord& run) {
  const Machine& m = run.machine;
  return fmt::format("{} {}, {}, {}{}", run.run.lab, run.run.id, run.run.started, printable(m.cpu.model, 80),
                     m.gpus.empty() ? "" : "; " + m.gpus.front().name);
}

std::string ratio_text(const Ratio& ratio) {
  if (!ratio.interval) return fmt::format("{:.3f}", ratio.value);
  return tr("{:.3f} ({:.3f} to {:.3f})", ratio.value, ratio.interval->low, ratio.interval->high);
}

std::string in_cell(const std::string& text) {
  std::string safe;
  for (const char c : printable(text, 300)) {
    if (c == '\\' || c == '|' || c == '<' || c == '`' || c == '[' || c == '*' || c == '_') safe += '\\';
    safe += c == '\n' ? ' ' : c;
  }
  return safe;
}

std::string difference_lines(const std::vector<Difference>& differences) {
  std::string text;
  for (const Difference& d : differences)
    text += fmt::format("  {:<9} {}: {} / {}\n", told(std::string(to_string(d.kind))), told(printable(d.what, 200)),
                        printable(d.a, 200), printable(d.b, 200));
  return text;
}

std::string difference_table(const std::vector<Difference>& differences, const std::string& title, const std::string& a,
                             const std::string& b) {
  if (differences.empty()) return "";
  std::string text = fmt::format("\n## {}\n\n| {} | {} | {} | {} |\n|---|---|---|---|\n", title, tr("kind"), tr("what"), a, b);
  for (const Difference& d : differences)
    text += fmt::format("| {} | {} | {} | {} |\n", told(std::string(to_string(d.kind))), in_cell(told(d.what)), in_cell(d.a),
                        in_cell(d.b));
  return text;
}

std::string ratio_plot(const Ratio& ratio, double minimum_effect, double widest, int columns) {
  std::string text(static_cast<size_t>(columns), ' ');
  const auto column = [&](double value) {
    const double share = (std::log(value) / std::log(widest) + 1) / 2;
    return static_cast<size_t>(std::clamp(static_cast<int>(std::lround(share * (columns - 1))), 0, columns - 1));
  };
  text[column(1 + minimum_effect)] = text[column(1 / (1 + minimum_effect))] = ':';
  text[column(1)] = '|';
  if (ratio.value <= 0) return text;
  if (ratio.interval && ratio.interval->low > 0) {
    const size_t low = column(ratio.interval->low), high = column(ratio.interval->high);
    for (size_t i = low; i <= high; ++i) text[i] = '-';
    text[low] = '[';
    text[high] = ']';
  }
  text[column(ratio.value)] = 'o';
  return text;
}

std::string as_text(const RunComparison& comparison, std::span<const RunRecord> a, std::span<const RunRecord> b) {
  std::string text = fmt::format("A: {}\nB: {}\n{}\n\n", side_line(a), side_line(b), rule(comparison));
  const double most = widest(comparison);
  for (const ComparedCell& cell : comparison.cells)
    text += fmt::format("{:<10} {:<24} {}  {}{}\n", to_string(cell.change), ratio_text(cell.ratio),
                        ratio_plot(cell.ratio, cell.minimum_effect, most), cell_name(*cell.a),
                        cell.why.empty() ? "" : "  (" + told(cell.why) + ")");
  for (const UncomparedCell& cell : comparison.uncompared)
    text += fmt::format("{:<10} {}  ({})\n", cell.broken ? "BROKEN" : "-", cell.name, told(cell.reason));
  if (!comparison.variants.empty()) text += "\n" + tr("by variant: geometric mean of the ratios") + "\n";
  for (const VariantChange& v : comparison.variants)
    text += fmt::format("  {:<24} {:.3f}  {} FASTER, {} SLOWER, {} SAME, {} UNDECIDED\n", v.variant, v.geometric_mean,
                        v.counts[0], v.counts[1], v.counts[2], v.counts[3]);
  text += "\n" + (comparison.differences.empty() ? tr("no other difference was recorded") : tr("also different")) + "\n";
  text += difference_lines(comparison.differences);
  return text + fmt::format("\n{}: {}\n", tr_counted(std::ssize(comparison.cells), "cell"), counts(comparison));
}

std::string as_markdown(const RunComparison& comparison, std::span<const RunRecord> a, std::span<const RunRecord> b) {
  std::string text = fmt::format("# {}\n\n- A: {}\n- B: {}\n\n{}: {}.\n{}\n\n", tr("Comparison of two runs"), in_cell(side_line(a)),
                                 in_cell(side_line(b)), tr_counted(std::ssize(comparison.cells), "cell"),
                                 counts(comparison), rule(comparison));
  text += fmt::format("## {}\n\n| {} | {} | FASTER | SLOWER | SAME | UNDECIDED |\n|---|---:|---:|---:|---:|---:|\n", tr("By variant"), tr("variant"),
                      tr("geometric mean"));
  for (const VariantChange& v : comparison.variants)
    text += fmt::format("| {} | {:.3f} | {} | {} | {} | {} |\n", in_cell(v.variant), v.geometric_mean, v.counts[0],
                        v.counts[1], v.counts[2], v.counts[3]);
  text += fmt::format("\n## {}\n\n| {} | A | B | {} | {} |\n|---|---:|---:|---:|---|\n", tr("Cells"), tr("case"),
                      tr("ratio (interval)"), tr("change"));
  const auto time = [](double ms) { return human_time(ms * 1e-3); };
  for (const ComparedCell& cell : comparison.cells)
    text += fmt::format("| {} | {} | {} | {} | {}{} |\n", in_cell(cell_name(*cell.a)), time(cell.a_ms), time(cell.b_ms),
                        ratio_text(cell.ratio), to_string(cell.change), cell.why.empty() ? "" : ": " + in_cell(told(cell.why)));
  for (const UncomparedCell& cell : comparison.uncompared)
    text += fmt::format("| {} | | | | {}{} |\n", in_cell(cell.name), cell.broken ? "BROKEN: " : "", in_cell(told(cell.reason)));
  return text + difference_table(comparison.differences, tr("Also different"), "A", "B");
}

nlohmann::ordered_json as_json(const RunComparison& comparison, std::span<const RunRecord> a, std::span<const RunRecord> b) {
  using Json = nlohmann::ordered_json;
  const auto runs = [](std::span<const RunRecord> side) {
    return Json{{"id", ids(side)}, {"lab", side.front().run.lab}, {"started", side.front().run.started}};
  };
  Json cells = Json::array(), uncompared = Json::array(), variants = Json::array(), different = Json::array();
  for (const ComparedCell& cell : comparison.cells) {
    Json row = {{"case", cell_name(*cell.a)}, {"change", to_string(cell.change)}, {"ratio", cell.ratio.value}};
    if (cell.ratio.interval) {
      row["low"] = cell.ratio.interval->low;
      row["high"] = cell.ratio.interval->high;
    }
    row["minimum_effect"] = cell.minimum_effect;
    row["a_ms"] = cell.a_ms;
    row["b_ms"] = cell.b_ms;
    if (!cell.why.empty()) row["why"] = cell.why;
    cells.push_back(std::move(row));
  }
  for (const UncomparedCell& cell : comparison.uncompared)
    uncompared.push_back({{"case", cell.name}, {"reason", cell.reason}, {"broken", cell.broken}});
  for (const VariantChange& v : comparison.variants)
    variants.push_back({{"variant", v.variant},
                        {"geometric_mean", v.geometric_mean},
                        {"FASTER", v.counts[0]},
                        {"SLOWER", v.counts[1]},
                        {"SAME", v.counts[2]},
                        {"UNDECIDED", v.counts[3]}});
  for (const Difference& d : comparison.differences)
    different.push_back({{"kind", to_string(d.kind)}, {"what", d.what}, {"a", d.a}, {"b", d.b}});
  return {{"a", runs(a)},
          {"b", runs(b)},
          {"minimum_effect", comparison.rule.minimum_effect},
          {"error_rate", comparison.rule.error_rate},
          {"scatter", comparison.scatter},
          {"cells", cells},
          {"not_compared", uncompared},
          {"variants", variants},
          {"differences", different}};
}

}  // namespace harness
