#include "harness/engine/run.h"

namespace harness {

nlohmann::json excluded_json(const Plan& plan) {
  nlohmann::json all = nlohmann::json::array();
  for (const Excluded& e : plan.excluded)
    all.push_back(
        {{"sweep", e.sweep}, {"variant", e.variant}, {"axes", axes_json(e.axes)}, {"reason", e.reason}});
  return all;
}

}  // namespace harness
