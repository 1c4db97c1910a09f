// What the emulated device saw in a kernel, as sentences that a student can act on.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/status.h"
#include "emulator/diagnostics/locate.h"
#include "lab/diagnostics.h"

namespace harness {

enum class Severity { mistake, advice };
std::string_view to_string(Severity severity);

struct DiagnosticKind {
  lab_diagnostic_kind id;
  std::string_view name;  // "race_shared"
  Severity severity;
  // Of a case in which it was seen. Nothing: advice, and mistakes that may do no harm; if they do, the result
  // is wrong.
  std::optional<Status> status;
  std::string_view what, fix;  // words in braces are filled in, see sentence.cpp
  double worth = 1;            // advice: told where `have` is off `ideal` by this factor at least
};

const std::vector<DiagnosticKind>& diagnostic_kinds();
/// The row of a kind that a device reported, or null.
const DiagnosticKind* find_diagnostic_kind(uint32_t id);
const DiagnosticKind* find_diagnostic_kind(std::string_view name);

using Triple = std::array<int64_t, 3>;

struct Diagnostic {
  std::string kind;  // a name of the table
  Severity severity = Severity::mistake;
  std::string kernel, file;  // beside the variant's source, or empty: not known
  int line = 0;
  std::string other_file;  // where the second thread was
  int other_line = 0;
  std::string source;     // the text of the line
  std::string what, fix;  // a sentence each
  int64_t count = 0, have = 0, ideal = 0;
  Triple block = {}, thread = {};
};

/// One for each, in their order. Kinds that are in no row are left out, and advice that would gain little.
std::vector<Diagnostic> explain(const std::vector<lab_diagnostic>& found, const SourcePositions& positions);
/// Their addresses.
std::vector<uint64_t> addresses(const std::vector<lab_diagnostic>& found);
bool has_mistake(const std::vector<lab_diagnostic>& found);

}  // namespace harness
