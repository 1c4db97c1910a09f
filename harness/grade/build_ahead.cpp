#include "harness/grade/build_ahead.h"

#include "harness/base/interrupt.h"
#include "harness/engine/build_all.h"
#include "harness/engine/sanitized_look.h"

namespace harness {

void build_ahead(const RunOptions& options) {
  auto loaded = load_lab(options);
  if (!loaded) return;
  const auto lab = place_lab(*std::move(loaded), Purpose::run);
  if (!lab) return;
  const auto cases = select_cases(*lab);
  if (!cases) return;
  Builder builder = make_builder(*lab);
  for (const auto& build : cases->builds) {
    if (interrupted() || !build->variant->defect.empty()) continue;
    const auto built = builder.build(*build->variant, build->macros, lab->toolchain(*build->variant));
    if (!built || !built->error.empty() || !wants_sanitized_look(*lab, *build)) continue;
    PlacedLab there = *lab;
    (void)build_with_sanitizers(there, *build);
  }
}

}  // namespace harness
