// --sanitize: CPU variants with one of gcc's sanitizers. They are checked, and no time is taken.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/client/client.h"
#include "harness/machine/machine.h"
#include "harness/plan/plan.h"

namespace harness {

/// What a sanitizer reported, with the lines of the student's files.
struct SanitizerReport {
  std::string kind;  // data_race, memory_error, undefined_behaviour
  Status status = Status::WRONG;
  std::string what, fix;
  std::string file, other_file;
  int line = 0, other_line = 0;  // 0: not known

  Failure failure() const;
};

/// For the compiler and the linker. `sanitizer`: thread, address, undefined or "address,undefined"; empty: none.
std::vector<std::string> sanitizer_flags(const std::string& sanitizer);
/// The reason why a variant cannot be run with it, or nothing.
std::optional<std::string> unable_to_sanitize(const std::string& sanitizer, const VariantInfo& variant);
/// The same, from what the compiler printed about a build with it.
std::optional<std::string> unable_to_sanitize(const std::string& sanitizer, const std::string& log);
/// Loads the runtime of the sanitizer into the worker, without the limits that its shadow memory exceeds.
void add_sanitizer(const std::string& sanitizer, WorkerSetup& setup);
/// The first report in what a worker printed.
std::optional<SanitizerReport> find_sanitizer_report(const std::string& printed, const std::string& source);

}  // namespace harness
