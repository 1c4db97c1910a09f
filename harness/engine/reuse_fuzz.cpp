// A case as the store gives it back: read, compared with another, written again.
#include <nlohmann/json.hpp>

#include "harness/base/fuzz.h"
#include "harness/engine/compare.h"
#include "harness/engine/occupancy.h"
#include "harness/store/json_text.h"

using namespace harness;

namespace {

CaseState baseline() {
  CaseState state;
  state.record.variant = "cpu_baseline";
  state.record.samples_ms = {1, 2, 3, 4, 5, 6, 7, 8};
  state.record.rounds = {0, 1, 2, 3, 4, 5, 6, 7};
  state.record.metrics = {{MetricName::kernel_ms, {4.5, 2.0, 7.0, 8}}};
  state.record.status = Status::PASSED;
  return state;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto stored = json_from_text(std::string(reinterpret_cast<const char*>(data), size));
  const auto record = stored ? case_from_json(*stored) : std::nullopt;
  if (!record) return 0;
  CaseState base = baseline(), other;
  other.record = *record;
  std::vector<CaseState*> group = {&base, &other};
  forget_comparisons(other.record);
  for (const char* variant : {"cpu_baseline", "cpu_avx"}) derive_speedups(variant, group);
  derive_vendor_share({"cpu_avx", "cpu_baseline"}, group);
  Config config;
  config.device = {64, 32};
  for (CaseState* state : group) {
    derive_efficiency(config, state->record);
    const auto json = json_from_text(to_text(to_json(state->record)));
    fuzz::must(json && case_from_json(*json), "what was written can be read");
  }
  return 0;
}
