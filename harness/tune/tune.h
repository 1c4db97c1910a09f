// The search for the fastest values of a variant's parameters: a run of a config that is made for it, with a case for
// each set of values. Cases that are clearly slower end early (measure: drop_slower).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/engine/run.h"
#include "harness/plan/plan.h"
#include "harness/store/run_record.h"

namespace harness {

/// What is run, and what for.
struct Search {
  RunOptions options;  // of a config that was written for this search
  VariantInfo variant;
  std::string device;
  size_t sets = 0, points = 0;  // sets of values, and problems that each is timed with
};

/// `most`: of more sets only so many are tried, always the same ones. Errors: no variant or several, one that declares
/// no parameters, a device that takes no times.
Result<Search> plan_search(const RunOptions& options, std::optional<size_t> most);

/// Values of the parameters, and their time: the geometric mean over the problems, with its interval.
struct RankedSet {
  Axes values;  // empty: as they are without this search
  double ms = 0, low = 0, high = 0;
};

struct Ranking {
  Dtype dtype = Dtype::f32;
  std::vector<RankedSet> sets;                         // the fastest first
  std::vector<std::pair<Axes, std::string>> left_out;  // values and reason
  /// True if the first set is clearly faster than the values of now.
  bool found() const;
};
std::vector<Ranking> rank_sets(const RunRecord& run, const VariantInfo& variant);

/// Puts the fastest sets into the variant's table.
Done keep_fastest(const Search& search, const std::string& run_id, const std::vector<Ranking>& rankings);

}  // namespace harness
