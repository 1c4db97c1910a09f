// A YAML tree as text that a person can read and edit.
#pragma once

#include <string>

#include "harness/config/yaml.h"

namespace harness {

// Nodes of a tree that a program writes.
Yaml yaml_scalar(std::string text);
Yaml yaml_list(std::vector<Yaml> items);
Yaml yaml_map(std::vector<std::pair<std::string, Yaml>> entries);

/// Short lists and maps on one line, others with an entry per line. parse_yaml() reads the same tree from it.
std::string write_yaml(const Yaml& node);

}  // namespace harness
