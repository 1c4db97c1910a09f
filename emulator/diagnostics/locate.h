// From addresses in a variant's shared object to the student's lines.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "harness/sandbox/sandbox.h"

namespace harness {

struct SourcePosition {
  std::string file;  // relative to the folder of the source
  int line = 0;
  std::string text;  // the line, trimmed, printable and cut
};
using SourcePositions = std::map<uint64_t, SourcePosition>;

struct Locator {
  const Sandbox* sandbox = nullptr;
  fs::path launcher;  // harness-launcher
  std::vector<fs::path> ours;  // folders of the headers that students include
  fs::path object, source;
};

/// Runs addr2line in the sandbox, because the object is the student's. Addresses that belong to no line of
/// the student are left out.
SourcePositions locate(const Locator& locator, const std::vector<uint64_t>& addresses);

/// Reads what `addr2line -a -f -i` printed. Gives for each address the innermost position that is neither in /usr nor in
/// a folder of `ours`.
SourcePositions parse_addr2line(const std::string& text, const fs::path& source,
                                const std::vector<fs::path>& ours);

}  // namespace harness
