// The raw samples of a case, and how the store keeps them: little-endian blobs, times as f64, rounds as i32.
// Exact to the bit, a quarter of the size of text, and read by anything (numpy: np.frombuffer(blob, "<f8")).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/store/records.h"

namespace harness {

struct SampleSet {
  std::vector<double> samples_ms, warmup_ms;
  std::vector<int> rounds;
};

/// The samples of a record without those that are NaN or infinite; a dropped sample takes its round along.
SampleSet measured(const CaseRecord& record);

/// The rest of the record.
nlohmann::ordered_json to_json_without_samples(const CaseRecord& record);

std::string to_blob(std::span<const double> values);
std::string to_blob(std::span<const int> values);
/// Nothing if the length does not fit.
std::optional<std::vector<double>> doubles_from_blob(std::string_view blob);
std::optional<std::vector<int>> integers_from_blob(std::string_view blob);

}  // namespace harness
