// Builds variants in the sandbox. Equal content is built only once: of the recipe, and of all files that the compiler
// read.
#pragma once

#include <string>

#include "harness/base/enums.h"
#include "harness/build/files_read.h"
#include "harness/build/toolchain.h"
#include "harness/plan/plan.h"
#include "harness/sandbox/sandbox.h"

namespace harness {

struct BuildResult {
  std::string key;
  std::string toolchain;  // "cpu", "cuda", "emulated"
  BuildState state = BuildState::failed;
  fs::path object;       // empty when failed
  std::string command;   // the compile step, for the provenance page
  std::string compiler;  // version line
  std::string log;       // what the compilers printed, also for a build from the cache
  std::string error;     // the first error, for the student
  std::string source_hash;
  std::vector<std::string> files;  // all that the compiler read; none of a build that failed
  double seconds = 0;
  std::vector<KernelFunction> kernel_functions;  // of a GPU variant, if the compiler tells
};

struct BuilderOptions {
  fs::path labs;         // the folder with lab/
  fs::path build_files;  // the harness's own files for builds: the folder with emulator/
  fs::path cache;        // build/cache
  fs::path launcher;     // harness-launcher
  const Sandbox* sandbox = nullptr;
  const Machine* machine = nullptr;
  std::string architecture;  // of the GPU
  double timeout_s = 120;
  std::vector<std::string> cxx_flags, gpu_flags;
  Watch watch = Watch::diagnostics;
};

class Builder {
 public:
  explicit Builder(BuilderOptions options) : options_(std::move(options)) {}
  /// Thread-safe. An Error is a failure of the harness or the machine. A source that does not compile gives a Build
  /// with state `failed`.
  Result<BuildResult> build(const VariantInfo& variant, const Axes& macros, const Toolchain& toolchain);

 private:
  struct Names {
    std::string all;
    bool asked = false;  // a file may ask which there are
  };
  static Result<Names> names_beside(const fs::path& source);
  Result<std::string> recipe_key(const Recipe& recipe, const fs::path& source, const Toolchain& toolchain,
                                 BuildResult& build);
  Origins origins(const Recipe& recipe, const fs::path& source) const;
  Result<std::string> key_of(const std::string& recipe_key, const std::vector<std::string>& files,
                             const Origins& origins);
  static Result<std::vector<std::string>> list_files(const fs::path& folder, const Origins& from,
                                                     const fs::path& source, const timespec& start, BuildResult& build);
  Done run(const Recipe& recipe, const fs::path& source, const fs::path& folder, BuildResult& build) const;

  BuilderOptions options_;
  FileHashes hashes_;
};

/// The first error in what compilers printed, one line, paths cut to the file name:
/// "gpu_shared.cu:12:5: error: 'foo' was not declared in this scope".
std::string first_error(const std::string& log, const fs::path& source);
/// The first warnings about files in the source's folder, in the same form.
std::vector<std::string> first_warnings(const std::string& log, const fs::path& source);

}  // namespace harness
