#include "emulator/diagnostics/locate.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "harness/base/text.h"
#include "harness/sandbox/child.h"

namespace harness {
namespace {

constexpr double timeout_s = 20;
constexpr size_t most_text = 120;
constexpr uintmax_t largest_source = 4 << 20;

bool below(const fs::path& path, const fs::path& folder) {
  const auto rest = path.lexically_relative(folder);
  return !rest.empty() && *rest.begin() != "..";
}

// Reads "folder/file.cu:33 (discriminator 2)". Line 0: it is no position.
std::pair<fs::path, int> file_and_line(std::string_view text) {
  text = text.substr(0, text.find(" (discriminator"));
  const size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return {};
  int line = 0;
  const std::string_view number = text.substr(colon + 1);
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), line);
  if (error != std::errc() || end != number.data() + number.size() || line < 1) return {};
  return {fs::path(text.substr(0, colon)).lexically_normal(), line};
}

std::string one_line(std::string_view text) {
  const std::string cut = printable(text, most_text);
  return cut.substr(0, cut.find('\n'));
}

// The object names its sources itself, so the harness reads only files in the folder of the student's source.
std::string line_of(const fs::path& folder, const SourcePosition& position) {
  std::error_code error;
  const fs::path file = fs::canonical(folder / position.file, error);
  if (error || !below(file, fs::canonical(folder, error)) || !fs::is_regular_file(file, error) ||
      fs::file_size(file, error) > largest_source)
    return "";
  const auto text = read_file(file);
  if (!text) return "";
  const std::vector<std::string> lines = split(*text, '\n');
  if (static_cast<size_t>(position.line) > lines.size()) return "";
  return one_line(trim(lines[static_cast<size_t>(position.line) - 1]));
}

}  // namespace

SourcePositions parse_addr2line(const std::string& text, const fs::path& source,
                                const std::vector<fs::path>& ours) {
  SourcePositions positions;
  uint64_t address = 0;
  bool name = true;  // does the next line name a function? Its position follows
  for (const std::string& line : split(text, '\n')) {
    if (starts_with(line, "0x")) {
      const auto [end, error] = std::from_chars(line.data() + 2, line.data() + line.size(), address, 16);
      if (error != std::errc()) address = 0;
      name = true;
      continue;
    }
    name = !name;
    if (!name) continue;
    const auto [file, number] = file_and_line(line);
    if (address == 0 || number == 0 || positions.count(address) || below(file, "/usr") ||
        std::ranges::any_of(ours, [&file = file](const fs::path& folder) { return below(file, folder); }))
      continue;
    const fs::path folder = source.parent_path();
    positions[address] = {
        below(file, folder) ? file.lexically_relative(folder).string() : file.filename().string(), number,
        ""};
  }
  for (auto& [code, position] : positions) position.file = one_line(position.file);
  return positions;
}

SourcePositions locate(const Locator& locator, const std::vector<uint64_t>& addresses) {
  if (addresses.empty()) return {};
  SandboxRequest request;
  request.command = {"addr2line", "-e", locator.object.string(), "-f", "-C", "-i", "-a"};
  for (const uint64_t address : addresses) request.command.push_back(fmt::format("{:#x}", address));
  request.environment = {"PATH=/usr/bin:/bin", "LC_ALL=C"};
  request.mounts = {{locator.object.parent_path(), Access::read}};
  request.data_bytes = int64_t{2} << 30;
  request.output_bytes = 1 << 20;
  auto child = Child::start(*locator.sandbox, request, locator.launcher);
  if (!child) return {};
  if (!child->wait(timeout_s)) {
    child->kill();
    return {};
  }
  SourcePositions positions = parse_addr2line(child->output(), locator.source, locator.ours);
  for (auto& [code, position] : positions) position.text = line_of(locator.source.parent_path(), position);
  return positions;
}

}  // namespace harness
