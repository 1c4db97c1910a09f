// What a student starts from: skeletons of the variants that the rules name, the config without hidden rules, a README,
// files for an editor and for GitHub Actions.
#pragma once

#include <string>
#include <vector>

#include "harness/base/files.h"
#include "harness/config/config.h"

namespace harness {

struct StarterOptions {
  std::string config;
  fs::path folder;
  std::string action;  // where the workflow finds the harness: "OWNER/harness@main"
  std::string course;  // where it finds the config: "OWNER/course"
};

struct Starter {
  std::vector<std::string> files;  // written, relative to the folder
  size_t hidden_rules = 0;         // left out
};

/// An error if the folder is not empty. On an error nothing is written.
Result<Starter> make_starter(const StarterOptions& options);
/// Writes only compile_commands.json, for the sources that are in the folder.
Done write_compile_commands(const StarterOptions& options);

/// The handout. `sources`: the files that students complete.
std::string handout(const Config& config, const Config& visible, const std::vector<std::string>& sources);
/// .github/workflows/grade.yml
std::string workflow(const StarterOptions& options, const std::string& lab);

}  // namespace harness
