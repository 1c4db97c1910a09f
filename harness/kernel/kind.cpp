#include "harness/kernel/kind.h"

#include <algorithm>

namespace harness {

double Problem::normwise_scale(const ConstHostBuffers&, std::span<const double> scales) const {
  return *std::max_element(scales.begin(), scales.end());
}

const Kind* find_kind(const std::string& name) {
  for (const Kind* kind : registry<Kind>())
    if (kind->name() == name) return kind;
  return nullptr;
}

std::vector<std::string> kind_names() {
  std::vector<std::string> names;
  for (const Kind* kind : registry<Kind>()) names.push_back(kind->name());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace harness
