#include "harness/store/samples.h"

#include <bit>
#include <cmath>
#include <cstring>

namespace harness {
namespace {

static_assert(std::endian::native == std::endian::little, "blobs are little-endian: swap bytes here");
static_assert(sizeof(int) == 4);

template <class T>
std::string to_bytes(std::span<const T> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

template <class T>
std::optional<std::vector<T>> from_bytes(std::string_view blob) {
  if (blob.size() % sizeof(T) != 0) return std::nullopt;
  std::vector<T> values(blob.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), blob.data(), blob.size());
  return values;
}

}  // namespace

SampleSet measured(const CaseRecord& record) {
  SampleSet set;
  const bool has_rounds = record.rounds.size() == record.samples_ms.size();
  if (!has_rounds) set.rounds = record.rounds;
  for (size_t i = 0; i < record.samples_ms.size(); ++i) {
    if (!std::isfinite(record.samples_ms[i])) continue;
    set.samples_ms.push_back(record.samples_ms[i]);
    if (has_rounds) set.rounds.push_back(record.rounds[i]);
  }
  for (const double v : record.warmup_ms)
    if (std::isfinite(v)) set.warmup_ms.push_back(v);
  return set;
}

std::string to_blob(std::span<const double> values) { return to_bytes(values); }
std::string to_blob(std::span<const int> values) { return to_bytes(values); }
std::optional<std::vector<double>> doubles_from_blob(std::string_view blob) {
  return from_bytes<double>(blob);
}
std::optional<std::vector<int>> integers_from_blob(std::string_view blob) { return from_bytes<int>(blob); }

}  // namespace harness
