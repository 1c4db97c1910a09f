// The harness and a lab in one archive, as a grading service takes it.
#pragma once

#include <string>
#include <vector>

#include "harness/base/files.h"

namespace harness {

struct PackageOptions {
  std::string config, service;
  std::string sandbox = "bwrap";
  fs::path output;  // NAME.zip
};

struct Package {
  size_t hidden_rules = 0;  // left out
};

std::vector<std::string> package_services();

Result<Package> make_package(const PackageOptions& options);

}  // namespace harness
