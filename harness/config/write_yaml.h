// A YAML tree as text that a person can read and edit.
#pragma once

#include <string>

#include "harness/config/yaml.h"

namespace harness {

/// Short lists and maps on one line, others with an entry per line. parse_yaml() reads the same tree from it.
std::string write_yaml(const Yaml& map);

}  // namespace harness
