#include "harness/cli/reproduce_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "harness/base/text.h"
#include "harness/cli/compare_lines.h"
#include "harness/compare/compare_runs.h"

namespace harness {
namespace {

constexpr Outcome outcomes[] = {Outcome::REPRODUCED, Outcome::ORDER_HOLDS, Outcome::DIFFERENT, Outcome::UNDECIDED,
                                Outcome::NOT_RUN};

std::string counts(const Reproduction& result) {
  std::vector<std::string> parts;
  for (const Outcome outcome : outcomes) parts.push_back(fmt::format("{} {}", result.count(outcome), to_string(outcome)));
  return fmt::format("{}: {}", counted(static_cast<int64_t>(result.cells.size()), "cell"), join(parts, ", "));
}

// How the original and this run answer the claims of the config: text, original, here, and why the answers differ.
std::vector<std::array<std::string, 4>> claims(const RunRecord& original, const RunRecord& again) {
  std::vector<std::array<std::string, 4>> rows;
  for (const ClaimRecord& then : original.claims)
    for (const ClaimRecord& now : again.claims)
      if (then.text == now.text)
        rows.push_back({then.text, std::string(to_string(then.measured.answer)),
                        std::string(to_string(now.measured.answer)),
                        then.measured.answer == now.measured.answer ? "" : now.measured.why});
  return rows;
}

// "The original did not run 2 of the 6 cases of its config that can run here"
std::string left_out(const Reproduction& result) {
  return fmt::format("The original did not run {} of the {} of its config that can run here", result.left_out.size(),
                     counted(static_cast<int64_t>(result.planned), "case"));
}

std::string first_names(const std::vector<std::string>& names) {
  constexpr size_t most = 5;
  const std::vector<std::string> first(names.begin(),
                                       names.begin() + static_cast<ptrdiff_t>(std::min(most, names.size())));
  return printable(join(first, ", "), 400) +
         (names.size() > most ? fmt::format(" and {} more", names.size() - most) : "");
}

std::string rule(const Reproduction& result) {
  return fmt::format(
      "REPRODUCED: the same verdict, and on the same processor or GPU a time within {:.3g} % of the original (on a GPU, "
      "within {} if that is more), with its whole interval. ORDER HOLDS: every case of the same problem that both runs can tell apart is on the same side. "
      "The ratio is the time here over the time in the original.",
      100 * result.rule.tolerance, human_time(gpu_resolution_ms * 1e-3));
}

}  // namespace

std::string as_text(const Reproduction& result, const RunRecord& original, const RunRecord& again) {
  std::string text = fmt::format("original: {}\nhere:     {}\n\n", run_line(original), run_line(again));
  for (const ReproducedCell& cell : result.cells)
    text += fmt::format("{:<11} {:<24} {}{}\n", to_string(cell.outcome), cell.ratio.value > 0 ? ratio_text(cell.ratio) : "",
                        cell_name(*cell.original), cell.why.empty() ? "" : "  (" + printable(cell.why, 300) + ")");
  const auto answers = claims(original, again);
  if (!answers.empty()) text += "\nclaims: in the original / here\n";
  for (const auto& [claim, then, now, why] : answers)
    text += fmt::format("  {} / {}  {}{}\n", then, now, printable(claim, 300),
                        why.empty() ? "" : "  (" + printable(why, 300) + ")");
  if (!result.differences.empty()) text += "\ndifferent here\n" + difference_lines(result.differences);
  if (!result.left_out.empty()) text += fmt::format("\n{}: {}\n", left_out(result), first_names(result.left_out));
  if (!result.remarks.empty()) text += "\nremarks\n";
  for (const std::string& remark : result.remarks) text += fmt::format("  {}\n", remark);
  return text + "\n" + counts(result) + "\n";
}

std::string as_markdown(const Reproduction& result, const RunRecord& original, const RunRecord& again) {
  std::string text = fmt::format("# {}: made again\n\n**{}.**\n\n- original: {}\n- here: {}\n\n{}\n\n",
                                 in_cell(original.run.title), counts(result), in_cell(run_line(original)),
                                 in_cell(run_line(again)), rule(result));
  if (!result.left_out.empty()) {
    text += fmt::format("**{}:**\n\n", left_out(result));
    for (const std::string& name : result.left_out) text += fmt::format("- {}\n", in_cell(name));
    text += "\n";
  }
  if (!result.remarks.empty()) text += "## Remarks\n\n";
  for (const std::string& remark : result.remarks) text += fmt::format("- {}\n", in_cell(remark));
  if (!result.remarks.empty()) text += "\n";
  text += "## Cells\n\n| case | verdict | ratio | reason |\n|---|---|---:|---|\n";
  for (const ReproducedCell& cell : result.cells)
    text += fmt::format("| {} | {} | {} | {} |\n", in_cell(cell_name(*cell.original)), to_string(cell.outcome),
                        cell.ratio.value > 0 ? ratio_text(cell.ratio) : "", in_cell(cell.why));
  const auto answers = claims(original, again);
  if (!answers.empty()) text += "\n## Claims\n\n| claim | original | here | reason |\n|---|---|---|---|\n";
  for (const auto& [claim, then, now, why] : answers)
    text += fmt::format("| {} | {} | {} | {} |\n", in_cell(claim), then, now, in_cell(why));
  return text + difference_table(result.differences, "Different here", "original", "here");
}

}  // namespace harness
