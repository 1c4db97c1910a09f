// A comparison of two runs, or of two series of runs, as text, Markdown or JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "harness/compare/compare_runs.h"

namespace harness {

/// Table and plot: one line per cell.
std::string as_text(const RunComparison& comparison, std::span<const RunRecord> a, std::span<const RunRecord> b);
std::string as_markdown(const RunComparison& comparison, std::span<const RunRecord> a, std::span<const RunRecord> b);
nlohmann::ordered_json as_json(const RunComparison& comparison, std::span<const RunRecord> a, std::span<const RunRecord> b);

/// "lab5 20261122-070750-e592, 2026-11-22T07:07:50Z, Intel Xeon; NVIDIA H200"
std::string run_line(const RunRecord& run);
/// One line or one row for each: "  machine   cores: 2 / 16".
std::string difference_lines(const std::vector<Difference>& differences);
std::string difference_table(const std::vector<Difference>& differences, const std::string& title, const std::string& a,
                             const std::string& b);
/// "1.050 (1.031 to 1.072)"
std::string ratio_text(const Ratio& ratio);
/// A text in a cell of a table in Markdown.
std::string in_cell(const std::string& text);

/// The interval of a ratio on a logarithmic axis from 1/widest to widest: "  [-o-]  |  :    ", where | is 1 and the two :
/// are the minimum effect.
std::string ratio_plot(const Ratio& ratio, double minimum_effect, double widest, int columns = 33);

}  // namespace harness
