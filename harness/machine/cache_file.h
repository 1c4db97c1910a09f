// What the harness remembers about machines: a JSON file {"schema": ..., MEMBER: {key: ...}}.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "harness/base/files.h"

namespace harness {

struct CacheFile {
  fs::path path;  // empty: no file
  const char* schema;
  const char* member;

  /// An empty object if there is no file of this format.
  nlohmann::json read() const;
  Done write(const nlohmann::json& content) const;
};

}  // namespace harness
