// What of the measured reaches a reader.
#pragma once

#include <string>

#include "harness/config/config.h"

namespace harness {

/// Whether a table, a plot, an export or a published table of the config has this metric of that variant.
bool shows(const Config& config, const std::string& sweep, const std::string& variant,
           const std::string& metric);

}  // namespace harness
