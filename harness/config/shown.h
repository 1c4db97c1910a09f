// Which metrics the report shows.
#pragma once

#include <string>

#include "harness/config/config.h"
#include "harness/config/metric_table.h"

namespace harness {

/// True if a table, plot, export or published table of the config shows this metric of this variant.
bool shows(const Config& config, const std::string& sweep, const std::string& variant, MetricName metric);

}  // namespace harness
