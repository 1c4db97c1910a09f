// The CSV files of a lab: recorded times and published figures.
#include <cmath>

#include "harness/base/fuzz.h"
#include "harness/tables/published.h"
#include "harness/tables/recorded_baseline.h"

using namespace harness;

namespace {

RecordedBaseline recorded_spec() {
  RecordedBaseline spec;
  spec.file = "a.csv";
  spec.axes = {{"size", "size"}, {"n", "n"}};
  spec.value = "ms";
  return spec;
}

Published published_spec(bool by_name) {
  Published spec;
  spec.file = "a.csv";
  if (by_name) {
    spec.axes_by_name = {"size", "n", "BLOCK"};
  } else {
    spec.axes = {{"size", "size"}};
    spec.values = {{"ms", "kernel_ms"}};
    spec.factors = {{"ms", 1e300}};
    spec.where = {{"n", {"1", "2"}}};
    spec.variants = {{"cpu", "cpu_baseline"}};
  }
  return spec;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto table = RecordedTable::parse(text, recorded_spec());
  if (table) {
    CaseRecord record;
    record.axes = {{"size", int64_t{128}}, {"n", int64_t{1}}};
    if (const auto ms = table->time_ms(record)) fuzz::must(std::isfinite(*ms) && *ms > 0, "a time is one");
  } else {
    fuzz::must(table.error().message.rfind("a.csv", 0) == 0, "an error names the file");
  }
  for (const bool by_name : {false, true}) {
    const auto published = parse_published(text, published_spec(by_name));
    if (!published)
      fuzz::must(published.error().message.rfind("a.csv", 0) == 0, "an error names the file");
  }
  return 0;
}
