// One number's whole pedigree, as text.
#pragma once

#include <optional>

#include "harness/store/run_record.h"

namespace harness {

/// The case that a person means: its id, its id without the lab, or words that only one id contains.
Result<const CaseRecord*> find_named_case(const RunRecord& run, const std::string& words);

/// Samples, interval, check lines, build command, source, machine, clocks and notes. `source`: nothing if it is not kept.
std::string case_page(const RunRecord& run, const CaseRecord& record, const std::optional<std::string>& source);

}  // namespace harness
