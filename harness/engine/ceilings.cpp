#include "harness/engine/run.h"

namespace harness {

Done find_ceilings(Context& context) {
  bool cpu = false;
  for (const CaseState& s : context.cases) cpu = cpu || (s.target && !s.target->variant->gpu);
  if (cpu) {
    context.emit("phase", {{"what", "measuring the machine's limits"}});
    TRY_ASSIGN(context.ceilings, cpu_ceilings(context.machine, (context.cache / "ceilings.json").string()));
  }
  return ok();
}

}  // namespace harness
