// Functions on text and lists.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace harness {

template <class Range, class Value>
bool contains(const Range& all, const Value& one) {
  return std::ranges::find(all, one) != std::ranges::end(all);
}

std::vector<std::string> split(std::string_view text, char separator);
std::string join(const std::vector<std::string>& parts, std::string_view separator);
std::string_view trim(std::string_view text);
bool starts_with(std::string_view text, std::string_view prefix);

/// The candidate with the smallest edit distance (a transposition counts one), or nothing if none is close.
std::optional<std::string> closest(std::string_view word, const std::vector<std::string>& candidates);
/// ` (did you mean "tolerance"?)` or nothing.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

/// "1 build", "2 builds"
std::string counted(int64_t n, std::string_view noun);
/// ASCII letters only.
std::string lower(std::string text);
std::string upper(std::string text);
/// "1.5 GiB", "640 KiB"
std::string human_bytes(double bytes);
/// "340 ms", "1.2 s", "2 min 5 s", "18.3 us"
std::string human_time(double seconds);
/// "60s", "2m", "1h30m", "500ms", "15" (seconds). Nothing if it is none of these or not positive.
std::optional<double> parse_duration(std::string_view text);

/// The columns that a text takes on a terminal: a Chinese character takes two.
size_t columns_of(std::string_view text);

bool is_utf8(std::string_view text);
/// Unicode's form NFC: macOS writes "ü" as two characters, other systems as one. Text that is not UTF-8 stays as it is.
std::string composed(const std::string& text);

/// Cuts at `limit` bytes, at a UTF-8 boundary, and says so. Control characters other than newline and tab, and bytes that are
/// not UTF-8, become '?'.
std::string printable(std::string_view text, size_t limit);

}  // namespace harness
