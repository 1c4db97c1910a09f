// The value of an axis or of a problem parameter.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace harness {

using Value = std::variant<int64_t, double, std::string>;

/// "16", "0.5", "row": the spelling used in tables, -D options and keys.
std::string to_string(const Value& value);

/// Axis values of one case, in the order the YAML names them.
using Axes = std::vector<std::pair<std::string, Value>>;

const Value* find(const Axes& axes, const std::string& name);
/// "size=1024 BLOCK=16"
std::string to_string(const Axes& axes);

/// True for BLOCK, TILE, TM: a macro of the build. Everything else belongs to the problem or the run.
bool is_macro(const std::string& axis);

}  // namespace harness
