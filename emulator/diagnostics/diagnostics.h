// What the emulated device saw in a kernel, as sentences that a student can act on.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "emulator/diagnostics/locate.h"
#include "harness/base/enums.h"
#include "harness/base/status.h"
#include "lab/diagnostics.h"

namespace harness {

enum class Severity { mistake, advice };
template <>
struct Spelling<Severity> {
  static constexpr std::string_view words[] = {"mistake", "advice"};
};

struct DiagnosticKind {
  lab_diagnostic_kind id;
  std::string_view name;  // "race_shared"
  Severity severity;
  // The status of a case in which it was seen. Nothing: advice, or a mistake that may be harmless. If it is
  // not, the output is wrong.
  std::optional<Status> status;
  std::string_view what, fix;  // sentence.cpp fills in the words in braces
  double worth = 1;            // advice is shown if `have` and `ideal` differ by this factor or more
};

const std::vector<DiagnosticKind>& diagnostic_kinds();
/// The row of a kind that a device reported, or null.
const DiagnosticKind* find_diagnostic_kind(uint32_t id);
const DiagnosticKind* find_diagnostic_kind(std::string_view name);

using Triple = std::array<int64_t, 3>;

struct Diagnostic {
  std::string kind;  // the name of its row
  Severity severity = Severity::mistake;
  std::string kernel, file;  // relative to the folder of the source; empty: not known
  int line = 0;
  std::string other_file;  // position of the second thread
  int other_line = 0;
  std::string source;     // the text of the line
  std::string what, fix;  // one sentence each
  int64_t count = 0, have = 0, ideal = 0;
  Triple block = {}, thread = {};
};

/// One of the problem's buffers, as messages name its elements: A[3][7].
struct NamedBuffer {
  std::string name;
  int64_t rows = 0, columns = 0, ld = 0, element_bytes = 4;
};
using NamedBuffers = std::vector<NamedBuffer>;

/// Explains each in order. Leaves out unknown kinds and advice that would gain little.
std::vector<Diagnostic> explain(const std::vector<lab_diagnostic>& found, const SourcePositions& positions,
                                const NamedBuffers& buffers = {});
/// The code addresses in them.
std::vector<uint64_t> addresses(const std::vector<lab_diagnostic>& found);
bool has_mistake(const std::vector<lab_diagnostic>& found);

}  // namespace harness
