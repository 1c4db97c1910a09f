// A reproduction as text for the terminal and as a page.
#pragma once

#include "harness/compare/reproduction.h"

namespace harness {

std::string as_text(const Reproduction& result, const RunRecord& original, const RunRecord& again);
/// One page: the verdict, the counts, what differs, and each cell.
std::string as_markdown(const Reproduction& result, const RunRecord& original, const RunRecord& again);

}  // namespace harness
