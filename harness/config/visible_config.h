// The config as students get it: without the rules that are hidden, and without what only those look at.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/config/config.h"

namespace harness {

/// Comments are not copied, because they may speak of hidden rules. An error if the rest is no valid config.
Result<std::string> visible_config(const Config& config);

/// The tables that the config names, relative to its folder. An error if one is outside of it.
Result<std::vector<std::filesystem::path>> tables_of(const Config& config);

}  // namespace harness
