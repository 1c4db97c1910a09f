// The config as students get it: without the rules that are hidden, and without what only those look at.
#pragma once

#include <string>

#include "harness/config/config.h"

namespace harness {

/// Comments are not copied, because they may speak of hidden rules. An error if the rest is no valid config.
Result<std::string> visible_config(const Config& config);

}  // namespace harness
