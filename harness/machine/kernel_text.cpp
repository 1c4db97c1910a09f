#include "harness/machine/kernel_text.h"

#include <charconv>

#include "harness/base/text.h"

namespace harness {

std::string kernel_text(const fs::path& path) {
  const Result<std::string> text = read_file(path);
  return text ? std::string(trim(*text)) : std::string();
}

std::optional<int64_t> leading_number(std::string_view text) {
  text = trim(text);
  int64_t value = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), value).ec != std::errc()) return std::nullopt;
  return value;
}

std::optional<int64_t> kernel_number(const fs::path& path) { return leading_number(kernel_text(path)); }

std::string line_value(std::string_view text, std::string_view key) {
  constexpr std::string_view separators = " \t:=";
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    if (starts_with(line, key) && line.size() > key.size() &&
        separators.find(line[key.size()]) != std::string_view::npos) {
      line.remove_prefix(key.size());
      const size_t value = line.find_first_not_of(separators);
      return value == std::string_view::npos ? "" : std::string(trim(line.substr(value)));
    }
    at = end + 1;
  }
  return "";
}

int64_t parse_kernel_size(std::string_view text) {
  text = trim(text);
  const std::optional<int64_t> number = leading_number(text);
  if (!number || *number < 0) return 0;
  switch (text.back()) {
    case 'K':
      return *number << 10;
    case 'M':
      return *number << 20;
    case 'G':
      return *number << 30;
    default:
      return *number;
  }
}

}  // namespace harness
