// A table of times that were recorded on another machine. Nothing is interpolated.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/files.h"
#include "harness/config/config.h"
#include "harness/store/records.h"

namespace harness {

class RecordedTable {
 public:
  /// Errors name file and line.
  static Result<RecordedTable> parse(const std::string& text, const RecordedBaseline& spec);

  /// The time for the case's problem, if it has a row.
  std::optional<double> time_ms(const CaseRecord& record) const;
  /// "size=128": the axes of the case that the table has.
  std::string point_of(const CaseRecord& record) const;
  const RecordedBaseline& spec() const { return spec_; }

 private:
  explicit RecordedTable(RecordedBaseline spec) : spec_(std::move(spec)) {}

  RecordedBaseline spec_;
  bool by_dtype_ = false;
  std::map<std::string, double> times_;  // by dtype and spelled axes
};

/// The config's table, if it has one.
Result<std::optional<RecordedTable>> read_recorded_table(const Config& config);

}  // namespace harness
