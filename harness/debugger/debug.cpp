#include "harness/debugger/debug.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/check/observation.h"
#include "harness/engine/build_all.h"
#include "harness/engine/check_call.h"

namespace harness {
namespace {

constexpr int64_t most_rows = 16, most_columns = 6;

std::string number(double value) {
  return std::isnan(value) ? fmt::format("{:>13}", "NaN") : fmt::format("{:>13.7g}", value);
}

// Got and wanted values from the first wrong cell on; wrong ones are red.
std::string wrong_region(const Observation& seen) {
  const CheckResult result = summarize(seen);
  if (!result.first) return "";
  const int64_t row = std::max<int64_t>(0, result.first->row - 1), column = std::max<int64_t>(0, result.first->col - 1);
  const int64_t rows = std::min(seen.total_rows(), row + most_rows),
                columns = std::min(seen.total_cols(), column + most_columns);
  std::string text =
      fmt::format("\n{} from row {}, column {}: got, and what was wanted\n", seen.problem.output().name, row, column);
  for (int64_t i = row; i < rows; ++i) {
    std::string got, want;
    for (int64_t j = column; j < columns; ++j) {
      const auto at = static_cast<size_t>(i * seen.total_cols() + j);
      const bool wrong = seen.state[at] != CellState::right;
      got += wrong ? "\x1b[31m" + number(seen.got[at]) + "\x1b[0m" : number(seen.got[at]);
      want += number(seen.want[at]);
    }
    text += fmt::format("{}   |{}\n", got, want);
  }
  return text;
}

Tried<Debugged> run_and_check(Session& session, const ProblemPtr& problem, ShowCells show_cells) {
  TRY_ASSIGN(Ran ran, run_once(session, problem, Fill::integers, session.edge(), 0));
  const Precision& precision = session.build().precision;
  const auto line = check_one_output(ran.inputs, ran.returned, precision);
  session.unload();
  if (line) return Debugged{Debugged::Output::right, fmt::format("right: {}\n", line->detail)};
  std::string text = fmt::format("{}: {}\n", to_string(line.error().status), line.error().message);
  if (show_cells == ShowCells::yes && checks_every_cell(*problem))
    text += wrong_region(observe(*problem, Tolerance(*problem, Fill::integers, precision), ran.inputs.pristine(),
                                 ran.returned.output().data()));
  return Debugged{Debugged::Output::wrong, std::move(text)};
}

}  // namespace

Result<Debugged> debug_case(const RunOptions& options, ShowCells show_cells) {
  TRY_ASSIGN(Lab loaded, load_lab(options));
  TRY_ASSIGN(const PlacedLab lab, place_lab(std::move(loaded), Purpose::run));
  TRY_ASSIGN(Cases cases, select_cases(lab));
  const auto first = std::find_if(cases.all.begin(), cases.all.end(), [](const CaseState& s) { return s.build; });
  if (first == cases.all.end())
    return Error{fmt::format("no selected case can run: {}", cases.all.empty() ? "" : cases.all.front().record.reason),
                 ExitCode::nothing_selected};
  Build& build = *first->build;
  if (!build.variant->defect.empty()) return Error{build.variant->defect, ExitCode::variant_failed};
  TRY(make_folders(lab.cache));
  TRY_ASSIGN(build.result, make_builder(lab).build(*build.variant, build.macros, lab.toolchain(*build.variant)));
  if (!build.result.error.empty()) return Error{build.result.error, ExitCode::variant_failed};
  TRY_ASSIGN(build.precision, find_precision(build.variant->precision, build.dtype));
  Session session(lab, build);
  auto debugged = run_and_check(session, first->plan->problem, show_cells);
  if (!debugged)
    return Error{fmt::format("{}: {}", first->record.id, debugged.error().message), ExitCode::variant_failed};
  debugged->text = fmt::format("{}: {}", first->record.id, debugged->text);
  return *std::move(debugged);
}

}  // namespace harness
