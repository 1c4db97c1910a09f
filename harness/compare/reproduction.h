// A run that was made again, cell by cell: does the result of the original hold?
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/base/enums.h"
#include "harness/compare/environment.h"
#include "harness/measure/statistics.h"
#include "harness/store/run_record.h"

namespace harness {

enum class Outcome { REPRODUCED, ORDER_HOLDS, DIFFERENT, UNDECIDED, NOT_RUN };
template <>
struct Spelling<Outcome> {
  static constexpr std::string_view words[] = {"REPRODUCED", "ORDER HOLDS", "DIFFERENT", "UNDECIDED", "NOT RUN"};
};

struct ReproduceRule {
  double tolerance = 0.10;   // on a machine of the same class the time lies within this share of the original
  double error_rate = 0.05;  // that any cell is called different by chance
};

struct ReproducedCell {
  const CaseRecord *original = nullptr, *again = nullptr;  // again: null if it was not run
  Outcome outcome = Outcome::NOT_RUN;
  std::string why;
  Ratio ratio;                      // time again over time in the original
  int orders = 0, orders_held = 0;  // cases that both runs can tell apart from this one; those in the same order
};

struct Reproduction {
  std::vector<ReproducedCell> cells;
  std::vector<Difference> differences;
  ReproduceRule rule;
  size_t planned = 0;                 // cases of the config that can run here
  std::vector<std::string> left_out;  // names of those that the original did not run
  std::vector<std::string> remarks;   // what the original says and does not follow from its numbers, and files that differ

  int count(Outcome outcome) const;
};

/// Whether both ran the case on the same kind of machine: the same processor and cores, or the same GPU.
bool same_machine_class(const RunRecord& a, const RunRecord& b, const CaseRecord& record);

/// REPRODUCED: the same verdict, and on the same machine class an interval of the ratio within the tolerance.
/// ORDER HOLDS: each case of the same problem that both runs can tell apart is on the same side in both.
/// UNDECIDED: the times scatter too much to say.
/// The result refers to both runs, which must outlive it.
Reproduction reproduce_cells(const RunRecord& original, const RunRecord& again, const ReproduceRule& rule = {});

}  // namespace harness
