// What two runs did not have in common, apart from their times.
#pragma once

#include <string>
#include <vector>

#include "harness/base/enums.h"
#include "harness/store/run_record.h"

namespace harness {

struct Difference {
  enum class Kind { machine, clocks, system, compiler, flags, library, source, config, harness };
  Kind kind = Kind::machine;
  std::string what, a, b;
};
template <>
struct Spelling<Difference::Kind> {
  static constexpr std::string_view words[] = {"machine", "clocks", "system", "compiler", "flags",
                                               "library", "source", "config",   "harness"};
};

/// How a difference in a file that is no variant's own begins: a header.
inline constexpr std::string_view source_file = "file ";

std::vector<Difference> differences(const RunRecord& a, const RunRecord& b);

}  // namespace harness
