// Tables of recorded figures: CSV with a first line of names; a field may be in quotes. Errors name file and line.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/result.h"

namespace harness {

struct CsvRow {
  size_t line = 0;  // in the file, from 1
  std::vector<std::string> fields;
};

struct Csv {
  std::string file;
  std::vector<std::string> names;
  std::vector<CsvRow> rows;  // each has as many fields as there are names

  /// The index of the column, or `a.csv:1: no column "n" (did you mean "m"?)`.
  Result<size_t> column(const std::string& name) const;
  std::optional<size_t> find(const std::string& name) const;
  /// The field as a number, or `a.csv:2: "fast" in column "ms" is not a number`.
  Result<double> number(const CsvRow& row, size_t column) const;
};

Result<Csv> parse_csv(const std::string& text, const std::string& file);

}  // namespace harness
