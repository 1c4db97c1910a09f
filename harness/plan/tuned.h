// The table of tuned parameters of a variant: NAME.tuned beside its source. `harness tune` writes it, and it is handed in
// with the source.
#pragma once

#include <string>
#include <vector>

#include "harness/base/files.h"
#include "harness/base/result.h"
#include "harness/plan/plan.h"

namespace harness {

inline constexpr const char* tuned_ending = ".tuned";
/// The table's path: "labs/gemm/cpu_x.tuned". The file need not exist.
fs::path tuned_file(const VariantInfo& variant);

/// Errors name the position in `path`.
Result<std::vector<TunedValues>> read_tuned(const std::string& text, const std::string& path, const VariantInfo& variant);
std::string write_tuned(const std::vector<TunedValues>& rows);

/// The row for this device and type, or null.
const TunedValues* find_tuned(const std::vector<TunedValues>& rows, const std::string& device, Dtype dtype);

}  // namespace harness
