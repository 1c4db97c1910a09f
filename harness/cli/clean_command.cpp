// harness clean: removes what can be made again. Results are kept unless asked for.
#include <fmt/format.h>

#include <chrono>

#include "harness/base/files.h"
#include "harness/base/project.h"
#include "harness/base/process.h"
#include "harness/base/text.h"
#include "harness/cli/command.h"
#include "harness/cli/console.h"
#include "harness/config/scalars.h"
#include "harness/sandbox/container.h"

namespace harness {
namespace {

Result<uintmax_t> empty_out(const fs::path& path) {
  std::error_code error;
  uintmax_t bytes = 0;
  if (!fs::exists(path, error)) return bytes;
  for (const auto& entry : fs::recursive_directory_iterator(path, error))
    if (entry.is_regular_file(error)) bytes += entry.file_size(error);
  fs::remove_all(path, error);
  if (error) return Error{fmt::format("{}: cannot remove: {}", path.string(), error.message()), ExitCode::machine};
  return bytes;
}

/// Variants in `folder` that were built before that time.
std::vector<fs::path> older(const fs::path& folder, fs::file_time_type than) {
  std::vector<fs::path> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (const auto built = entry.last_write_time(error); !error && built < than) found.push_back(entry.path());
  return found;
}

class Clean final : public Command {
 public:
  std::string name() const override { return "clean"; }
  std::string help() const override {
    return "remove built variants and containers that killed runs left; --cache and --results remove more";
  }
  int order() const override { return 8; }
  std::vector<Option> options() override {
    return {{"--cache", &cache_, "also remove the compiler cache and the measured limits of the machine"},
            {"--results", &results_, "also remove all results and reports"},
            {"--older", &older_, "remove only variants that were built more than so many days ago", "DAYS"}};
  }

  Result<ExitCode> run() override {
    TRY_ASSIGN(const fs::path root, project_root());
    const fs::path cache = cache_folder(root);
    std::vector<fs::path> all = {cache / "variants"};
    std::error_code error;
    // What a killed run was compiling.
    for (const auto& entry : fs::directory_iterator(cache, error))
      if (starts_with(entry.path().filename().string(), "building-")) all.push_back(entry.path());
    if (!older_.empty()) {
      const auto days = parse_integer(older_);
      if (!days || *days < 0 || *days > 36'500)
        return Error{fmt::format("--older \"{}\" is not a number of days", older_)};
      if (cache_ || results_) return Error{"--older removes only built variants; leave out --cache and --results"};
      all = older(cache / "variants", fs::file_time_type::clock::now() - std::chrono::hours(24) * *days);
    }
    if (cache_) all = {cache};
    if (results_) all.push_back(default_results(root));
    // What it was running, if the container has outlived it.
    int containers = 0;
    for (const char* program : {"podman", "docker"})
      if (!find_program(program).empty()) containers += remove_leftovers(program);
    uintmax_t bytes = 0;
    for (const fs::path& path : all) {
      TRY_ASSIGN(const uintmax_t removed, empty_out(path));
      bytes += removed;
    }
    print(fmt::format("removed {}{}\n", human_bytes(static_cast<double>(bytes)),
                      containers ? " and " + counted(containers, "container") : ""));
    return ExitCode::ok;
  }

 private:
  bool cache_ = false, results_ = false;
  std::string older_;
};

Clean clean_command;
const Register<Command> register_clean(&clean_command);

}  // namespace
}  // namespace harness
