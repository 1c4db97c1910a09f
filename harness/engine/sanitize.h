// --sanitize: CPU variants with one of gcc's sanitizers. They are checked, and no time is taken.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/client/client.h"
#include "harness/machine/machine.h"
#include "harness/plan/plan.h"

namespace harness {

/// For the compiler and the linker. `sanitizer`: thread, address or undefined; empty: none.
std::vector<std::string> sanitizer_flags(const std::string& sanitizer);
/// The reason why a variant cannot be run with it, or nothing.
std::optional<std::string> unable_to_sanitize(const std::string& sanitizer, const VariantInfo& variant);
/// Loads the runtime of the sanitizer into the worker, without the limits that its shadow memory exceeds.
void add_sanitizer(const std::string& sanitizer, WorkerSetup& setup);
/// The first report in what a worker printed, in one sentence with the lines of the student's files.
std::optional<Failure> find_sanitizer_report(const std::string& printed, const std::string& source);

}  // namespace harness
