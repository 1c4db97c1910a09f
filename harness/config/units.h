// Units that a metric can be asked for in.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace harness {

/// What a number in unit `from` is multiplied with to be in `to`: 0.001 from ms to s.
std::optional<double> unit_scale(std::string_view from, std::string_view to);
/// All units that measure the same, `unit` included.
std::vector<std::string> units_like(std::string_view unit);

}  // namespace harness
