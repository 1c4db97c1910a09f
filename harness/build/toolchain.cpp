#include "harness/build/toolchain.h"

#include <fmt/format.h>

namespace harness {

const Toolchain* find_toolchain(const std::string& name) {
  for (const Toolchain* b : registry<Toolchain>())
    if (b->name() == name) return b;
  return nullptr;
}

bool is_hip_source(const fs::path& source) { return source.string().ends_with(".hip.cpp"); }

std::vector<std::string> definitions(const Axes& macros) {
  std::vector<std::string> flags;
  for (const auto& [name, value] : macros) flags.push_back(fmt::format("-D{}={}", name, to_string(value)));
  return flags;
}

}  // namespace harness
