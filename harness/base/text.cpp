#include "harness/base/text.h"

#include <fmt/format.h>
#include <utf8proc.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <memory>

namespace harness {

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (size_t from = 0;;) {
    const size_t to = text.find(separator, from);
    parts.emplace_back(text.substr(from, to - from));
    if (to == std::string_view::npos) return parts;
    from = to + 1;
  }
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  return fmt::format("{}", fmt::join(parts, separator));
}

std::string_view trim(std::string_view text) {
  const char* blanks = " \t\r\n";
  const size_t from = text.find_first_not_of(blanks);
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(blanks) - from + 1);
}

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

std::string upper(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

bool starts_with(std::string_view text, std::string_view prefix) { return text.substr(0, prefix.size()) == prefix; }

// Optimal string alignment distance: insert, delete, replace, swap of neighbours.
static size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<size_t>> d(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (size_t i = 1; i <= a.size(); ++i)
    for (size_t j = 1; j <= b.size(); ++j) {
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}

std::optional<std::string> closest(std::string_view word, const std::vector<std::string>& candidates) {
  if (word.size() > 200) return std::nullopt;
  size_t best = std::max<size_t>(1, word.size() / 3) + 1;
  std::optional<std::string> found;
  for (const std::string& candidate : candidates) {
    if (candidate.size() >= word.size() + best) continue;  // more letters to add than the best candidate needs
    const size_t d = distance(lower(std::string(word)), lower(candidate));
    if (d < best) {
      best = d;
      found = candidate;
    }
  }
  return found;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates) {
  const auto found = closest(word, candidates);
  return found ? fmt::format(" (did you mean \"{}\"?)", *found) : "";
}

std::string counted(int64_t n, std::string_view noun) { return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s"); }

std::string human_bytes(double bytes) {
  const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  int unit = 0;
  for (; bytes >= 1024 && unit < 5; ++unit) bytes /= 1024;
  return unit == 0 ? fmt::format("{:.0f} B", bytes) : fmt::format("{:.3g} {}", bytes, units[unit]);
}

std::string human_time(double seconds) {
  if (seconds < 1e-6) return fmt::format("{:.3g} ns", seconds * 1e9);
  if (seconds < 1e-3) return fmt::format("{:.3g} us", seconds * 1e6);
  if (seconds < 0.9995) return fmt::format("{:.3g} ms", seconds * 1e3);
  if (seconds < 59.95) return fmt::format("{:.3g} s", seconds);
  const auto whole = static_cast<int64_t>(std::lround(seconds));
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  const auto minutes = whole % 3600 / 60;
  return fmt::format("{} h{}", whole / 3600, minutes ? fmt::format(" {} min", minutes) : "");
}

std::optional<double> parse_duration(std::string_view text) {
  double total = 0;
  text = trim(text);
  if (text.empty()) return std::nullopt;
  while (!text.empty()) {
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc()) return std::nullopt;
    text.remove_prefix(static_cast<size_t>(end - text.data()));
    double unit = 1;
    if (starts_with(text, "ms")) {
      unit = 1e-3;
      text.remove_prefix(2);
    } else if (!text.empty()) {
      if (text[0] == 'h')
        unit = 3600;
      else if (text[0] == 'm')
        unit = 60;
      else if (text[0] != 's')
        return std::nullopt;
      text.remove_prefix(1);
    }
    total += number * unit;
  }
  return std::isfinite(total) && total > 0 ? std::optional(total) : std::nullopt;
}

// They change the order of what is shown, or break lines.
static bool is_direction(utf8proc_int32_t letter) {
  return letter == 0x61c || letter == 0x200e || letter == 0x200f || (letter >= 0x2028 && letter <= 0x202e) ||
         (letter >= 0x2066 && letter <= 0x2069);
}

/// The first letter of a text and its bytes; bytes <= 0 if the text does not begin with UTF-8.
static std::pair<utf8proc_int32_t, utf8proc_ssize_t> first_letter(std::string_view text) {
  utf8proc_int32_t letter = 0;
  const auto bytes = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()), std::ssize(text), &letter);
  return {letter, bytes};
}

size_t columns_of(std::string_view text) {
  // Filled up to as many columns as it has bytes, which are never fewer.
  return 2 * text.size() - fmt::formatted_size("{:<{}}", text, text.size());
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const auto bytes = first_letter(text).second;
    if (bytes <= 0) return false;
    text.remove_prefix(static_cast<size_t>(bytes));
  }
  return true;
}

std::string composed(const std::string& text) {
  if (std::ranges::all_of(text, [](char c) { return (c & 0x80) == 0; })) return text;
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> nfc(
      utf8proc_NFC(reinterpret_cast<const utf8proc_uint8_t*>(text.c_str())), &std::free);
  return nfc ? reinterpret_cast<const char*>(nfc.get()) : text;
}

std::string printable(std::string_view text, size_t limit) {
  const bool cut = text.size() > limit;
  if (cut) {
    while (limit > 0 && (static_cast<unsigned char>(text[limit]) & 0xc0) == 0x80) --limit;
    text = text.substr(0, limit);
  }
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const auto [letter, bytes] = first_letter(text);
    const bool control = (letter < 0x20 && letter != '\n' && letter != '\t') || (letter >= 0x7f && letter < 0xa0);
    const std::string_view whole = text.substr(0, static_cast<size_t>(std::max<utf8proc_ssize_t>(1, bytes)));
    text.remove_prefix(whole.size());
    if (whole == "\r") continue;
    if (bytes <= 0 || control || is_direction(letter))
      out += '?';
    else
      out += whole;
  }
  if (cut) out += "\n[cut here]";
  return out;
}

}  // namespace harness
