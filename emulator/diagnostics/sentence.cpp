// Fills the sentences of a row with what the device saw.
#include <fmt/format.h>

#include <algorithm>

#include "harness/base/text.h"
#include "emulator/diagnostics/diagnostics.h"

namespace harness {
namespace {

// Most blocks are two-dimensional, so the third number is left out if it is zero.
std::string triple(const uint32_t (&v)[3]) {
  return v[2] ? fmt::format("({},{},{})", v[0], v[1], v[2]) : fmt::format("({},{})", v[0], v[1]);
}

const char* does(uint32_t access) {
  switch (access) {
    case lab_access_read:
      return "reads";
    case lab_access_write:
      return "writes";
    case lab_access_atomic:
      return "updates atomically";
    default:
      return "uses";
  }
}

std::string shown(const SourcePosition& position) {
  return position.line > 0 ? fmt::format("{}:{}", position.file, position.line) : "";
}

std::string at(const SourcePosition& position) { return position.line > 0 ? fmt::format(" at {}", shown(position)) : ""; }

const NamedBuffer* buffer_of(const lab_diagnostic& f, const NamedBuffers& buffers) {
  if (f.buffer < 1 || static_cast<size_t>(f.buffer) > buffers.size()) return nullptr;
  const NamedBuffer& b = buffers[static_cast<size_t>(f.buffer) - 1];
  return b.ld > 0 && b.element_bytes > 0 ? &b : nullptr;
}

bool in_workspace(const lab_diagnostic& f, const NamedBuffers& buffers) {
  return !buffers.empty() && f.buffer == static_cast<int>(buffers.size()) + 1;
}

std::string element(const lab_diagnostic& f, const NamedBuffer& b) {
  const int64_t index = f.offset / b.element_bytes;
  return fmt::format("{}[{}][{}]", b.name, index / b.ld, index % b.ld);
}

std::string input(const lab_diagnostic& f, const NamedBuffers& buffers) {
  const NamedBuffer* b = buffer_of(f, buffers);
  return b && f.offset >= 0 ? fmt::format("{}, which is an input", element(f, *b)) : "an input";
}

std::string where(const lab_diagnostic& f, const NamedBuffers& buffers) {
  if (const NamedBuffer* b = buffer_of(f, buffers)) {
    const std::string size = fmt::format("{} has {} x {} elements", b->name, b->rows, b->columns);
    if (f.offset >= 0) return fmt::format("at {}, and {}", element(f, *b), size);
    return fmt::format("{} elements before {}[0][0], and {}", -f.offset / b->element_bytes, b->name, size);
  }
  if (in_workspace(f, buffers)) {
    if (f.offset < 0) return fmt::format("{} bytes before the work space of {} bytes", -static_cast<double>(f.offset), f.extent);
    return fmt::format("at byte {} of the work space, which has {} bytes", f.offset, f.extent);
  }
  if (f.offset < 0)
    return fmt::format("{} bytes before a buffer of {} bytes", -static_cast<double>(f.offset), f.extent);
  return fmt::format("at byte {} of a buffer of {} bytes", f.offset, f.extent);
}

std::string pointer(int64_t address) {
  constexpr int64_t null_page = 4096;
  if (address >= 0 && address < null_page) return "a null pointer";
  return fmt::format("an invalid pointer ({:#x})", static_cast<uint64_t>(address));
}

std::string ratio(int64_t a, int64_t b) {
  return fmt::format("{:.1f}", static_cast<double>(a) / static_cast<double>(std::max<int64_t>(b, 1)));
}

// Blocks still ended in the second half of the time.
bool only_slow(const lab_diagnostic& f) { return f.kind == lab_endless && f.have > 0 && f.offset < f.extent / 2; }

// A row's fix, unless the details tell a better one.
std::string_view fix(const lab_diagnostic& f, const DiagnosticKind& kind, const NamedBuffers& buffers) {
  if (f.kind == lab_out_of_bounds && in_workspace(f, buffers))
    return "compare the index with the size of the work space: is the size that the variant asks for large enough, and in bytes?";
  if (only_slow(f))
    return "it may only be slow on the emulated device: take a smaller size or a longer \"case_time\"";
  return kind.fix;
}

std::string filled(std::string_view form, const std::map<std::string, std::string, std::less<>>& words) {
  std::string text;
  while (!form.empty()) {
    const size_t open = form.find('{');
    text += form.substr(0, open);
    if (open == std::string_view::npos) break;
    const size_t close = form.find('}', open);
    text += words.find(form.substr(open + 1, close - open - 1))->second;
    form.remove_prefix(close + 1);
  }
  return text;
}

Diagnostic diagnostic(const lab_diagnostic& f, const DiagnosticKind& kind, const SourcePosition& position,
                      const SourcePosition& other, const NamedBuffers& buffers) {
  const std::string line = shown(position), kernel = printable(f.kernel, sizeof f.kernel);
  const std::map<std::string, std::string, std::less<>> words = {
      {"thread", triple(f.origin.thread)},
      {"block", triple(f.origin.block)},
      {"other_thread", triple(f.other.thread)},
      {"other_block", triple(f.other.block)},
      {"does", does(f.origin.access)},
      {"other_does", does(f.other.access)},
      {"at", at(position)},
      {"other_at", at(other)},
      {"ended", std::to_string(f.have)},
      {"blocks", std::to_string(f.ideal)},
      {"at_or_running", line.empty() ? " running" : at(position)},
      {"position", !line.empty()    ? line
                : kernel.empty() ? "the kernel"
                                 : kernel},
      {"bytes", std::to_string(f.bytes)},
      {"where", where(f, buffers)},
      {"input", input(f, buffers)},
      {"kernel", kernel},
      {"detail", printable(f.detail, sizeof f.detail)},
      {"pointer", pointer(f.offset)},
      {"have_each", ratio(f.have, f.count)},
      {"ideal_each", ratio(f.ideal, f.count)},
      {"percent", fmt::format("{:.0f}", 100 * static_cast<double>(f.ideal) /
                                            static_cast<double>(std::max<int64_t>(f.have, 1)))},
      {"ratio", ratio(f.have, f.ideal)},
      {"have_size", human_bytes(static_cast<double>(f.have))},
      {"ideal_size", human_bytes(static_cast<double>(f.ideal))}};
  Diagnostic result;
  result.kind = kind.name;
  result.severity = kind.severity;
  result.kernel = kernel;
  result.file = position.file;
  result.line = position.line;
  result.source = position.text;
  result.other_file = other.file;
  result.other_line = other.line;
  result.what = filled(kind.what, words);
  result.fix = filled(fix(f, kind, buffers), words);
  result.count = f.count;
  result.have = f.have;
  result.ideal = f.ideal;
  for (size_t i = 0; i < 3; ++i) {
    result.block[i] = f.origin.block[i];
    result.thread[i] = f.origin.thread[i];
  }
  return result;
}

// Advice that would gain little is not shown.
bool worth_telling(const lab_diagnostic& f, const DiagnosticKind& kind) {
  if (kind.severity == Severity::mistake) return true;
  const auto [low, high] = std::minmax({static_cast<double>(f.have), static_cast<double>(f.ideal)});
  return high >= kind.worth * low && high > low;
}

}  // namespace

std::vector<Diagnostic> explain(const std::vector<lab_diagnostic>& found, const SourcePositions& positions,
                                const NamedBuffers& buffers) {
  const auto position_of = [&](uint64_t code) {
    const auto at = positions.find(code);
    return at == positions.end() ? SourcePosition{} : at->second;
  };
  std::vector<Diagnostic> all;
  for (const lab_diagnostic& f : found) {
    const DiagnosticKind* kind = find_diagnostic_kind(f.kind);
    if (!kind || !worth_telling(f, *kind)) continue;
    SourcePosition position = position_of(f.origin.code), other = position_of(f.other.code);
    if (f.kind == lab_endless) {  // one thread, which may wait in a function of the device that it called at `other`
      if (position.line == 0) position = other;
      other = {};
    }
    all.push_back(diagnostic(f, *kind, position, other, buffers));
  }
  return all;
}

std::vector<uint64_t> addresses(const std::vector<lab_diagnostic>& found) {
  std::vector<uint64_t> all;
  for (const lab_diagnostic& f : found)
    for (const uint64_t code : {f.origin.code, f.other.code})
      if (code != 0 && std::find(all.begin(), all.end(), code) == all.end()) all.push_back(code);
  return all;
}

bool has_mistake(const std::vector<lab_diagnostic>& found) {
  return std::any_of(found.begin(), found.end(), [](const lab_diagnostic& f) {
    const DiagnosticKind* kind = find_diagnostic_kind(f.kind);
    return kind && kind->severity == Severity::mistake;
  });
}

}  // namespace harness
