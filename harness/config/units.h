// Conversion between units of metrics.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace harness {

/// The factor from unit `from` to unit `to`: 0.001 from ms to s.
std::optional<double> unit_scale(std::string_view from, std::string_view to);
/// All units of the same quantity, `unit` included.
std::vector<std::string> units_like(std::string_view unit);

}  // namespace harness
